//! `GET /v1/results/{key}…`: what was made, by digest, for ever.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};

use crate::{
    archive::Format,
    error::{ApiError, Kind},
    keys,
    reply::{self, Keep},
    state::State,
};

/// `GET /v1/results/{key}` and `{key}.tar.gz` and so on.
///
/// # Errors
/// There is no such result.
pub async fn whole(
    state: Data<State>,
    request: HttpRequest,
    name: Path<String>,
) -> Result<HttpResponse, ApiError> {
    let (key, format) = match name.split_once('.') {
        Some((key, _)) => {
            (key, Some(Format::of_name(&name).filter(|format| name[key.len()..] == *format.extension())))
        }
        None => (name.as_str(), None),
    };
    if !keys::is_key(key) || format == Some(None) {
        return Err(ApiError::new(
            Kind::NOT_FOUND,
            "a result is named by 64 hex digits, and perhaps an extension",
        ));
    }
    let state = state.into_inner();
    let stored = state.stored(key).await?;
    match format.flatten() {
        Some(format) => {
            let archive = state.archive(&stored, format).await?;
            Ok(reply::blob(&request, &archive, format.media_type(), Keep::Immutable))
        }
        None => {
            let object = stored.object().ok_or_else(|| ApiError::new(Kind::RESULT_NOT_FOUND, key))?;
            Ok(reply::blob(&request, object, "application/json", Keep::Immutable))
        }
    }
}

/// `GET /v1/results/{key}/files/{path}`: one file of the archive.
///
/// # Errors
/// There is no such file.
pub async fn file(
    state: Data<State>,
    request: HttpRequest,
    names: Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (key, path) = names.into_inner();
    let stored = state.stored(&key).await?;
    let missing =
        || ApiError::new(Kind::NOT_FOUND, format!("the result has no file '{}'", path.escape_debug()));
    let blob = stored.files.get(&path).ok_or_else(missing)?;
    // Pages are served below /v1/sites only, where a policy keeps them harmless.
    let media_type = match reply::media_type(&path) {
        page if page.starts_with("text/") => "text/plain; charset=utf-8",
        "image/svg+xml" => "text/plain; charset=utf-8",
        other => other,
    };
    Ok(reply::blob(&request, blob, media_type, Keep::Immutable))
}
