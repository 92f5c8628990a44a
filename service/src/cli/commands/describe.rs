//! `odsmith describe` and `odsmith search`: answers about definitions.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use clap::Args;
use odsmith_engine::{interchange::symbols::Symbols, release::Release};
use odsmith_registry::pull::Address;

use super::{
    diff::sides::Reader,
    display,
    exit::ExitStatus,
    options::{FailOn, ListOptions, MlirOptions, ProjectOptions, ToleranceOptions, pretty},
    pull,
};
use crate::pipeline::{
    describe::Definitions,
    registry::{Access, Registries},
    workspace::Workspace,
};

/// The definitions to ask about.
#[derive(Clone, Debug, Default, Args)]
pub struct DefinitionSource {
    /// The definitions: a folder, an archive, a model.json, `git:REV`, oci://HOST/REPOSITORY:TAG, or `release:22` for MLIR's
    /// own [default: this folder, and MLIR's for what it does not define]
    #[arg(long, value_name = "PLACE")]
    from: Option<String>,
    #[command(flatten)]
    project: ProjectOptions,
    #[command(flatten)]
    mlir: MlirOptions,
    #[command(flatten)]
    tolerance: ToleranceOptions,
}

/// The arguments of `odsmith describe`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The definition: arith.addi, !llvm.ptr, #gpu.address_space, -canonicalize, a C++ class, a record or an id
    #[arg(value_name = "NAME", allow_hyphen_values = true)]
    name: String,
    #[command(flatten)]
    source: DefinitionSource,
    #[command(flatten)]
    list: ListOptions,
}

/// The arguments of `odsmith search`.
#[derive(Clone, Debug, Args)]
pub struct SearchOptions {
    /// Words, a signature (memref -> index), and facets: kind: dialect: name: file: trait: iface: takes: returns: uses: is:
    #[arg(value_name = "QUERY", required = true)]
    query: Vec<String>,
    /// The most answers
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    limit: usize,
    #[command(flatten)]
    source: DefinitionSource,
    #[command(flatten)]
    list: ListOptions,
}

impl DefinitionSource {
    /// Reads the definitions. Those of this folder that cannot be read are a warning, and MLIR's are read.
    pub(super) fn read(&self) -> Result<Definitions, String> {
        if let Some(place) = &self.from {
            return self.read_from(place);
        }
        if !has_definitions(Path::new(".")) {
            return self.read_mlir(None);
        }
        self.read_from(".").or_else(|error| {
            display::warning(&format!("this folder's definitions are left out: {error}"));
            self.read_mlir(None)
        })
    }

    /// Reads MLIR's own definitions: of the release that is named, of that of a project, or of the default one.
    fn read_mlir(&self, of_project: Option<&str>) -> Result<Definitions, String> {
        let release = self.mlir.release().or(of_project).unwrap_or(Release::default().name());
        self.read_from(&format!("release:{release}"))
    }

    fn read_from(&self, place: &str) -> Result<Definitions, String> {
        if Address::is_one(place) {
            let registries = Registries::new(&Access::default())?;
            let artifact =
                pull::open(&registries, &Address::parse(place)?).map_err(|error| error.to_string())?;
            let document = Arc::new(registries.model(&artifact).map_err(|error| error.to_string())?);
            let prefix = format!("{}@{}/", artifact.config.project, artifact.config.version);
            let symbols = registries.symbols(&artifact).map_err(|error| error.to_string())?;
            return Ok(Definitions { document, symbols, prefix });
        }
        let reader = Reader {
            project: &self.project,
            tolerance: &self.tolerance,
            mlir: &self.mlir,
            fail_on: FailOn::Never,
            server: None,
        };
        let side = reader.side(place, self.mlir.release())?;
        let prefix =
            place.strip_prefix("release:").map(|release| format!("mlir@{release}/")).unwrap_or_default();
        let symbols = Symbols::new(&side.document, &BTreeMap::new());
        Ok(Definitions { document: side.document, symbols, prefix })
    }
}

/// Reads the definitions in a place.
///
/// # Errors
/// They cannot be read.
pub fn read(place: &str) -> Result<Definitions, String> {
    DefinitionSource { from: Some(place.to_owned()), ..DefinitionSource::default() }.read()
}

/// Returns whether a folder may have definitions of its own.
fn has_definitions(folder: &Path) -> bool {
    Workspace::open(folder, false).is_ok_and(|it| it.files().any(|(path, _)| path.ends_with(".td")))
}

impl Options {
    /// Runs the command: 1 if there is no such definition.
    ///
    /// # Errors
    /// The definitions cannot be read.
    pub fn run(self) -> Result<ExitStatus, String> {
        let definitions = self.source.read()?;
        let is_project = self.source.from.is_none() && definitions.prefix.is_empty();
        let answer = definitions.subject().describe(&self.name).or_else(|message| {
            if !is_project {
                return Err(message);
            }
            // A project uses MLIR's operations as well as its own.
            let mlir = self.source.read_mlir(Some(&definitions.document.mlir))?;
            mlir.subject().describe(&self.name).map_err(|_| message)
        });
        match answer {
            Ok(description) => {
                let text = if self.list.json { pretty(&description) } else { description.to_text() };
                display::print(&text).map(|()| ExitStatus::Done)
            }
            Err(message) => {
                display::error(&message);
                Ok(ExitStatus::Findings)
            }
        }
    }
}

impl SearchOptions {
    /// Runs the command: 1 if nothing fits.
    ///
    /// # Errors
    /// The query is wrong, or the definitions cannot be read.
    pub fn run(self) -> Result<ExitStatus, String> {
        let definitions = self.source.read()?;
        let answer = definitions.subject().search(&self.query.join(" "), 0, self.limit)?;
        let text = if self.list.json { pretty(&answer) } else { answer.to_text() };
        display::print(&text)?;
        if answer.total == 0 {
            display::closing("nothing fits");
        }
        Ok(ExitStatus::of(answer.total > 0))
    }
}
