//! The plugin of `odsmith tblgen`: that of `--plugin` or `--template`, or the one of `odsmith.toml` that has the generator.

use std::{path::Path, sync::Arc};

use odsmith_engine::plugin::Generator;
use odsmith_tblgen::{Call, Failure, PluginCall, RequestedPlugin};

use crate::pipeline::{manifest::Plugin, plugins};

/// Gives a call the plugin that it asks for. Its paths begin at `folder`. Without a plugin the flags stay unknown.
///
/// # Errors
/// The plugin cannot be read.
pub fn attach(call: &mut Call, folder: &Path) -> Result<(), Failure> {
    let manifest = call.manifest(folder);
    let (name, settings, place) = match call.requested_plugin() {
        None => return Ok(()),
        Some(RequestedPlugin::At(path)) => {
            let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
            (file.to_owned(), Plugin::default(), folder.join(path))
        }
        Some(RequestedPlugin::Template { path, each }) => {
            let settings = Plugin {
                template: Some(path.to_owned()),
                each: each.map(str::to_owned),
                ..Plugin::default()
            };
            (path.to_owned(), settings, folder.join(path))
        }
        Some(RequestedPlugin::Of(generator)) => {
            match manifest.as_deref().and_then(|manifest| plugins::in_manifest(manifest, generator)) {
                Some(found) => found,
                None => return Ok(()),
            }
        }
    };
    let host = plugins::host_at(&place, &settings)
        .map_err(|message| Failure(format!("{}: {message}\n", call.program)))?;
    let is_named = !matches!(call.requested_plugin(), Some(RequestedPlugin::Of(_)));
    let files = manifest.filter(|_| !is_named).into_iter().chain([place]);
    let files = files.map(|path| path.to_string_lossy().into_owned()).collect();
    let (generator, options) = call.take_plugin_flags();
    let generator = Generator { name, host, generator, options, limits: settings.limits() };
    call.plugin = Some(PluginCall { plugin: Arc::new(generator), files });
    Ok(())
}
