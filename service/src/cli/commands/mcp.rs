//! `odsmith mcp`: answers tools over the Model Context Protocol.

use std::path::{self, PathBuf};

use clap::Args;
use odsmith_catalog::Project;

use super::exit::ExitStatus;
use crate::{
    cli::mcp::{self, tools::LocalCatalog},
    pipeline::{
        catalog::{
            place::OpenCatalog,
            read::{CatalogSettings, Origin},
        },
        mcp::catalog::CatalogTool,
        registry::Access,
    },
    store::disk,
};

/// The arguments of `odsmith mcp`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The folder that tools may ask about; paths outside of it are refused
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
    /// The catalogue that questions are about, unless they name another place: the folder of `odsmith catalog build`,
    /// oci://HOST/PREFIX/ or oci-layout:DIR
    #[arg(long, value_name = "PLACE")]
    catalog: Option<String>,
}

impl Options {
    /// Answers until standard input ends. No file of the root is written.
    ///
    /// # Errors
    /// The root is no folder, or the client breaks the protocol.
    pub fn run(self) -> Result<ExitStatus, String> {
        let open = |place: String| {
            let open = OpenCatalog::open(&place, &Access::default(), &CatalogSettings::default())?;
            // Commands are run in the root.
            let place = if Origin::is_one(&place) { place } else { absolute(&place)? };
            let catalog = open.catalog.clone();
            let symbols = Box::new(move |project: &Project, version: &str| open.symbols(project, version));
            Ok::<_, String>(LocalCatalog { place, tool: CatalogTool { catalog, symbols } })
        };
        let catalog = self.catalog.map(open).transpose()?;
        mcp::serve(self.root, catalog).map(|()| ExitStatus::Done)
    }
}

/// Returns a path that does not depend on the current folder.
fn absolute(place: &str) -> Result<String, String> {
    let whole = path::absolute(place).map_err(|error| format!("{place}: {}", disk::reason(&error)))?;
    Ok(whole.to_string_lossy().into_owned())
}
