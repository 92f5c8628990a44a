//! Generators of projects, each with its host. A module (`.wasm`) runs everywhere and sees nothing but its request.
//! An executable runs on the command line alone, for those who make outputs.
//!
//! | named by | a module | an executable |
//! | --- | --- | --- |
//! | `tblgen --plugin FILE`, or `[plugins]` in its `odsmith.toml` | runs | runs |
//! | `[plugins]`, for `generate` | runs | runs |
//! | `[plugins]`, for other commands | runs | its outputs are left out |
//! | `[plugins]`, for a server | runs | an error of its outputs |
//! | the name of one that the server offers | runs | – |
//!
//! A template, which is a Handlebars file over the model, is filled on the command line.

pub mod program;
pub mod template;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use odsmith_engine::{
    bundle::Bundle,
    generators::Action,
    plugin::{Generator, Host, Module, OwnLimits},
};
use odsmith_tblgen::flags::Flags;

use self::{program::Program, template::Template};
use crate::{
    pipeline::manifest::{Manifest, Plugin, Target},
    store::{disk, keys},
};

/// The modules that a server offers to all requests, by their names.
#[derive(Clone, Debug, Default)]
pub struct OfferedModules(BTreeMap<String, (String, Arc<Module>)>);

impl OfferedModules {
    /// Reads a module from the disk.
    ///
    /// # Errors
    /// It cannot be read, or is no module that can run.
    pub fn add(&mut self, name: &str, path: &Path) -> Result<(), String> {
        let wrong = |reason: String| format!("{}: {reason}", path.display());
        let bytes = fs::read(path).map_err(|error| wrong(disk::reason(&error)))?;
        let digest = keys::sha256(&bytes);
        let module = Module::new(bytes.into(), digest.clone());
        module.check().map_err(wrong)?;
        self.0.insert(name.to_owned(), (digest, Arc::new(module)));
        Ok(())
    }

    /// Returns the module of a name or a digest, with its digest.
    fn find(&self, name: &str, digest: Option<&str>) -> Option<&(String, Arc<Module>)> {
        match digest {
            Some(digest) => self.0.values().find(|(own, _)| own == digest),
            None => self.0.get(name),
        }
    }
}

/// Adds the digests of offered modules to a manifest that names them, so that the key of a result has them.
pub fn add_digests(manifest: &mut Manifest, offered: &OfferedModules) {
    let named = manifest.target.iter().filter_map(|target| target.plugin.clone());
    let missing: Vec<String> = named.filter(|name| !manifest.plugins.contains_key(name)).collect();
    manifest.plugins.extend(missing.into_iter().map(|name| (name, Plugin::default())));
    for (name, plugin) in &mut manifest.plugins {
        if plugin.file().is_none() && plugin.sha256.is_none() {
            plugin.sha256 = offered.find(name, None).map(|(digest, _)| digest.clone());
        }
    }
}

/// The treatment of a project's executables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Executables {
    /// They are refused, as by a server.
    #[default]
    Refused,
    /// Their outputs are left out.
    LeftOut,
    /// They run; the paths begin at this folder.
    Below(PathBuf),
}

/// The reason why an output has no plugin.
pub enum MissingPlugin {
    /// It is left to another command.
    LeftOut(String),
    /// It is an error.
    Error(String),
}

/// The plugins of a request.
pub struct Plugins<'r> {
    plugins: &'r BTreeMap<String, Plugin>,
    bundle: &'r Bundle,
    offered: &'r OfferedModules,
    executables: &'r Executables,
    /// The hosts that were asked for. Outputs of one module share it.
    hosts: BTreeMap<String, Arc<dyn Host>>,
}

impl<'r> Plugins<'r> {
    /// Creates the plugins of a manifest; none is read.
    #[must_use]
    pub fn new(
        manifest: &'r Manifest,
        bundle: &'r Bundle,
        offered: &'r OfferedModules,
        executables: &'r Executables,
    ) -> Self {
        Plugins { plugins: &manifest.plugins, bundle, offered, executables, hosts: BTreeMap::new() }
    }

    /// Returns the name of the plugin that makes an output: the target's, if the flags name no generator of MLIR's, or
    /// the one that has the generator.
    #[must_use]
    pub fn name_for(&self, target: &Target, flags: &Flags) -> Option<String> {
        let generator = flags.foreign_generator();
        match &target.plugin {
            Some(name) if generator.is_some() || flags.action.is_none() => Some(name.clone()),
            _ => with_generator(self.plugins, generator?).map(|(name, _)| name.clone()),
        }
    }

    /// Returns the action of an output that a plugin makes, with the generator and the options in its flags.
    ///
    /// # Errors
    /// There is no such plugin, or it cannot run here.
    pub fn action(&mut self, name: &str, flags: &mut Flags) -> Result<Action, MissingPlugin> {
        let host = self.host(name)?;
        let limits = self.plugins.get(name).map(Plugin::limits).unwrap_or_default();
        Ok(action(name, host, limits, flags.take_plugin_flags()))
    }

    fn host(&mut self, name: &str) -> Result<Arc<dyn Host>, MissingPlugin> {
        if let Some(host) = self.hosts.get(name) {
            return Ok(host.clone());
        }
        let wrong = |reason: String| MissingPlugin::Error(format!("the plugin '{name}' {reason}"));
        let plugin = self.plugins.get(name).ok_or_else(|| wrong("is not in [plugins]".to_owned()))?;
        let Some(path) = plugin.file() else {
            let offered = self.offered.find(name, plugin.sha256.as_deref());
            let (_, module) = offered
                .ok_or_else(|| wrong("has no 'path', and none of this name is offered here".to_owned()))?;
            return Ok(module.clone());
        };
        let is_refused = *self.executables == Executables::Refused;
        if plugin.template.is_some() && is_refused {
            return Err(wrong(
                "is a template, and only WebAssembly modules (.wasm) run on a server".to_owned(),
            ));
        }
        let bytes = self.bundle.get(path);
        let bytes = bytes.ok_or_else(|| wrong(format!("is not among the files: '{path}'")))?;
        plugin.check_digest(bytes).map_err(wrong)?;
        let host: Arc<dyn Host> = match self.executables {
            _ if plugin.template.is_some() => {
                let template = Template::new(path, bytes, plugin.each.as_deref());
                Arc::new(template.map_err(MissingPlugin::Error)?)
            }
            _ if Module::is_one(bytes) => Arc::new(Module::new(bytes.clone(), keys::sha256(bytes))),
            Executables::Below(folder) => {
                let program = Program::new(&disk::place(folder, path), plugin.seconds);
                Arc::new(program.map_err(|error| wrong(format!("is lost: {}", disk::reason(&error))))?)
            }
            Executables::LeftOut => {
                return Err(MissingPlugin::LeftOut(format!("the plugin '{name}' is a program")));
            }
            Executables::Refused => {
                let reason = "is a program, and only WebAssembly modules (.wasm) run on a server";
                return Err(wrong(reason.to_owned()));
            }
        };
        self.hosts.insert(name.to_owned(), host.clone());
        Ok(host)
    }
}

/// Returns the plugin that has a generator.
fn with_generator<'p>(
    plugins: &'p BTreeMap<String, Plugin>,
    generator: &str,
) -> Option<(&'p String, &'p Plugin)> {
    plugins.iter().find(|(name, plugin)| plugin.has_generator(name, generator))
}

fn action(
    name: &str,
    host: Arc<dyn Host>,
    limits: OwnLimits,
    (generator, options): (String, odsmith_engine::generators::Options),
) -> Action {
    Action::Plugin(Arc::new(Generator { name: name.to_owned(), host, generator, options, limits }))
}

/// Returns the host of the program at a path.
///
/// # Errors
/// It is not there, or not what the settings say.
pub fn host_at(path: &Path, plugin: &Plugin) -> Result<Arc<dyn Host>, String> {
    let wrong = |reason: String| format!("{}: {reason}", path.display());
    let bytes = fs::read(path).map_err(|error| wrong(disk::reason(&error)))?;
    plugin.check_digest(&bytes).map_err(wrong)?;
    if plugin.template.is_some() {
        let template = Template::new(&path.to_string_lossy(), &bytes, plugin.each.as_deref())?;
        return Ok(Arc::new(template));
    }
    if Module::is_one(&bytes) {
        let digest = keys::sha256(&bytes);
        return Ok(Arc::new(Module::new(bytes.into(), digest)));
    }
    let program = Program::new(path, plugin.seconds).map_err(|error| wrong(disk::reason(&error)))?;
    Ok(Arc::new(program))
}

/// Returns the plugin of a manifest's text that has a generator: its name, settings and place. A manifest that cannot be
/// read has none.
#[must_use]
pub fn in_manifest(manifest: &Path, generator: &str) -> Option<(String, Plugin, PathBuf)> {
    let manifest_of = |bytes: Vec<u8>| Manifest::from_toml(&bytes).ok();
    let Manifest { plugins, .. } = fs::read(manifest).ok().and_then(manifest_of)?;
    let (name, plugin) = with_generator(&plugins, generator)?;
    let place = disk::place(manifest.parent()?, plugin.file()?);
    Some((name.clone(), plugin.clone(), place))
}
