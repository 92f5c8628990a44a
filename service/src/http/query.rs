//! The parameters after the `?`: a type for each group of them, which also describes them for programs.
//!
//! ```text
//! ?td=a.td&includes=x&includes=y   →   Root { td: "a.td" }, Settings { includes: ["x", "y"], … }
//! ```

use std::collections::BTreeMap;

use actix_web::{HttpRequest, web};
use odsmith_engine::review::lint::config as lint;
use serde::{
    Deserialize, Deserializer,
    de::{
        DeserializeOwned, Error as _, IntoDeserializer, Visitor,
        value::{Error, MapDeserializer, SeqDeserializer},
    },
    forward_to_deserialize_any,
};
use utoipa::{IntoParams, ToSchema};

use crate::pipeline::{
    error::{ApiError, Kind},
    manifest::{Manifest, OnUnsupported},
};

/// Fields of the manifest that each request may set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct Settings {
    /// The MLIR release, or a profile that the server offers or the bundle holds
    mlir: Option<String>,
    /// Include folders
    #[param(required = false)]
    includes: Vec<String>,
    /// Macros
    #[param(required = false)]
    defines: Vec<String>,
    /// The treatment of an unknown generator
    on_unsupported: Option<OnUnsupported>,
    /// The site's title
    title: Option<String>,
    /// The address of a line of a source file: holds {path} and {line}
    source_url: Option<String>,
}

impl Settings {
    /// Returns settings that name a release of MLIR alone.
    #[must_use]
    pub fn of_release(mlir: Option<&str>) -> Settings {
        Settings { mlir: mlir.map(str::to_owned), ..Settings::default() }
    }

    /// Sets the fields that are present.
    pub fn apply(&self, manifest: &mut Manifest) {
        manifest.mlir = self.mlir.clone().or(manifest.mlir.take());
        manifest.includes.extend(self.includes.iter().cloned());
        manifest.defines.extend(self.defines.iter().cloned());
        manifest.on_unsupported = self.on_unsupported.unwrap_or(manifest.on_unsupported);
        manifest.docs.title = self.title.clone().or(manifest.docs.title.take());
        manifest.docs.source_url = self.source_url.clone().or(manifest.docs.source_url.take());
    }

    /// Returns the same as a change of the bundle's manifest.
    #[must_use]
    pub fn change(self) -> crate::pipeline::request::Change {
        Box::new(move |manifest| {
            self.apply(manifest);
            Ok(())
        })
    }
}

/// The root that is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct Root {
    /// The root in an archive
    pub td: Option<String>,
}

/// One output of a root.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct RootOutput {
    /// As for mlir-tblgen; --print-records if nothing is said
    #[param(required = false)]
    pub flags: Vec<String>,
    /// The root in an archive
    pub td: Option<String>,
}

/// The policy of lint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct Policy {
    /// Rules, groups and presets (minimal, default, strict, all), in place of those of odsmith.toml
    #[param(required = false)]
    select: Vec<String>,
    /// Rules and groups that are not asked
    #[param(required = false)]
    ignore: Vec<String>,
}

impl Policy {
    /// Applies the parameters to the policy of a manifest.
    pub fn apply(&self, config: &mut lint::Config) {
        if !self.select.is_empty() {
            config.select.clone_from(&self.select);
        }
        config.ignore.extend(self.ignore.iter().cloned());
    }
}

/// A question to the catalogue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct Search {
    /// The question: words, `memref -> index`, facets, `count by project`
    #[param(required = true)]
    pub q: String,
    /// The most answers, up to 1000
    pub limit: Option<usize>,
    /// From `next` of the answer before
    pub cursor: Option<String>,
}

/// The part of the users that is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct UsesQuery {
    /// Only uses of this way: operand, result, trait, interface, base, matches, creates, depends
    pub how: Option<String>,
    /// The most answers, up to 1000
    pub limit: Option<usize>,
    /// From `next` of the answer before
    pub cursor: Option<String>,
}

/// The part of a report that is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ReportQuery {
    /// Only this project
    pub project: Option<String>,
    /// Only breaks of this profile or level: wire, ir, api, all, bytecode
    pub level: Option<String>,
}

/// The generation that changes are asked for since.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct Since {
    /// The generation
    #[param(required = true)]
    pub since: String,
}

/// A bundle that is known.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct KnownBundle {
    /// The sha256 of the archive
    pub bundle: String,
}

/// How an archive of a result is packed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct Packing {
    /// 1: everything in the archive is in one folder, as Nix's fetchTarball wants it
    #[param(inline)]
    pub prefix: Option<Prefix>,
}

/// The choice of one folder for everything in an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
pub enum Prefix {
    /// No.
    #[serde(rename = "0")]
    No,
    /// Yes.
    #[serde(rename = "1")]
    Folder,
}

impl Packing {
    /// Reads the parameters.
    ///
    /// # Errors
    /// There are others, or the value is wrong.
    pub fn of(request: &HttpRequest) -> Result<Packing, ApiError> {
        let mut parameters = Parameters::of(request.query_string())?;
        let packing = parameters.take(Kind::BAD_REQUEST)?;
        parameters.finish()?;
        Ok(packing)
    }
}

/// Between which releases a project goes, and what is looked at.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Upgrading {
    /// The MLIR release that the project is made for
    pub from: String,
    /// The MLIR release that it goes to; without it, the newest one
    pub to: Option<String>,
    /// Takes each .td file as a root, not only those that no other file includes
    #[serde(default)]
    #[param(required = false)]
    pub each_file: bool,
    /// Compares generated files
    #[serde(default)]
    #[param(required = false)]
    pub generated: bool,
    /// Looks for definitions in C++ files as well, and compares all of MLIR
    #[serde(default)]
    #[param(required = false)]
    pub scan: bool,
    /// Include folders
    #[serde(default)]
    #[param(required = false)]
    pub includes: Vec<String>,
}

impl Upgrading {
    /// Returns the parameters for two releases, without anything else that costs time.
    #[must_use]
    pub fn between(from: String, to: Option<String>) -> Upgrading {
        Upgrading { from, to, each_file: false, generated: false, scan: false, includes: Vec::new() }
    }
}

/// Two results that are compared.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Pair {
    /// The key of the old result
    pub old: String,
    /// The key of the new result
    pub new: String,
}

/// An archive that is fetched.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SourceArchive {
    /// The address of the source archive: https, from a host that this server fetches from
    pub source: String,
    /// The sha256 of the source archive
    pub sha256: String,
    /// The folder of the archive that is the bundle
    #[serde(default)]
    pub strip_prefix: Option<String>,
}

/// Reads the settings of a request that has no other parameters.
///
/// # Errors
/// There are others, or a value is wrong.
pub fn settings(request: &HttpRequest) -> Result<Settings, ApiError> {
    let mut parameters = Parameters::of(request.query_string())?;
    let settings = parameters.take(Kind::BAD_PARAMETER)?;
    parameters.finish()?;
    Ok(settings)
}

/// Reads the parameters of a route that has no others.
///
/// # Errors
/// There are others, one is missing, or a value is wrong.
pub fn alone<T: DeserializeOwned>(request: &HttpRequest) -> Result<T, ApiError> {
    let mut parameters = Parameters::of(request.query_string())?;
    let all = parameters.take(Kind::BAD_REQUEST)?;
    parameters.finish()?;
    Ok(all)
}

/// Reads the parameters of a route, and the settings beside them.
///
/// # Errors
/// There are others, one is missing, or a value is wrong.
pub fn with_settings<T: DeserializeOwned>(request: &HttpRequest) -> Result<(T, Settings), ApiError> {
    let mut parameters = Parameters::of(request.query_string())?;
    let both = (parameters.take(Kind::BAD_REQUEST)?, parameters.take(Kind::BAD_PARAMETER)?);
    parameters.finish()?;
    Ok(both)
}

/// The values of each parameter, in order; each group removes its own.
struct Parameters(BTreeMap<String, Vec<String>>);

impl Parameters {
    fn of(query: &str) -> Result<Parameters, ApiError> {
        let pairs = web::Query::<Vec<(String, String)>>::from_query(query);
        let pairs = pairs.map_err(|error| ApiError::new(Kind::BAD_REQUEST, error.to_string()))?;
        let mut values = BTreeMap::<String, Vec<String>>::new();
        for (name, value) in pairs.into_inner() {
            values.entry(name).or_default().push(value);
        }
        Ok(Parameters(values))
    }

    /// Reads a group of parameters, the fields of a struct. A malformed one is an error of this kind.
    fn take<T: DeserializeOwned>(&mut self, kind: &'static Kind) -> Result<T, ApiError> {
        T::deserialize(Fields(&mut self.0))
            .map_err(|error| ApiError::new(kind, format!("the parameters: {error}")))
    }

    /// Checks that no parameters are left.
    fn finish(self) -> Result<(), ApiError> {
        match self.0.keys().next() {
            Some(name) => {
                let detail = format!("there is no parameter '{}'", name.escape_debug());
                Err(ApiError::new(Kind::BAD_PARAMETER, detail))
            }
            None => Ok(()),
        }
    }
}

/// Deserializes a struct from the parameters named as its fields.
struct Fields<'p>(&'p mut BTreeMap<String, Vec<String>>);

impl<'de> Deserializer<'de> for Fields<'_> {
    type Error = Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let own = fields.iter().filter_map(|name| Some((*name, Values(self.0.remove(*name)?))));
        visitor.visit_map(MapDeserializer::new(own))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("parameters are the fields of a struct"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// The values of one parameter: a list takes all, any other type the last.
struct Values(Vec<String>);

impl Values {
    fn last(mut self) -> String {
        self.0.pop().unwrap_or_default()
    }
}

impl IntoDeserializer<'_, Error> for Values {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Values {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_string(self.last())
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(SeqDeserializer::new(self.0.into_iter()))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.last().into_deserializer().deserialize_enum(name, variants, visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.last().as_str() {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            other => Err(Error::custom(format!("'{}' is neither true nor false", other.escape_debug()))),
        }
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let text = self.last();
        let number =
            text.parse().map_err(|_| Error::custom(format!("'{}' is no number", text.escape_debug())));
        visitor.visit_u64(number?)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn read<T: DeserializeOwned>(query: &str) -> Result<(T, Settings), String> {
        let request = TestRequest::with_uri(&format!("/x?{query}")).to_http_request();
        with_settings(&request).map_err(|error| error.detail)
    }

    #[test]
    fn each_group_takes_its_own() {
        let (root, settings) = read::<RootOutput>(
            "includes=a&flags=-x&td=b.td&includes=c%20d&mlir=21&mlir=22&flags=-y&on_unsupported=skip",
        )
        .unwrap();
        assert_eq!((root.td.as_deref(), &*root.flags.join(" ")), (Some("b.td"), "-x -y"));
        let expected = Settings {
            mlir: Some("22".into()),
            includes: vec!["a".into(), "c d".into()],
            on_unsupported: Some(OnUnsupported::Skip),
            ..Settings::default()
        };
        assert_eq!(settings, expected);
        assert_eq!(read::<Root>("").unwrap(), (Root::default(), Settings::default()));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = |query: &str| read::<KnownBundle>(query).unwrap_err();
        assert!(wrong("").contains("missing field `bundle`"));
        assert!(wrong("bundle=x&bundles=y").contains("there is no parameter 'bundles'"));
        assert!(wrong("bundle=x&on_unsupported=y").contains("unknown variant `y`"));
    }
}
