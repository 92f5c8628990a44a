//! `GET /v1/results/{key}…`: what was made, by digest, for ever.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};

use crate::{
    archive::Format,
    error::{ApiError, Kind},
    generate::ResultObject,
    keys,
    openapi::{Archive, Problem},
    reply,
    state::{Found, State},
};

/// `GET /v1/results/{key}` and `{key}.tar.gz` and so on.
///
/// # Errors
/// There is no such result.
#[utoipa::path(
    get, path = "/v1/results/{name}", tag = "results", operation_id = "result",
    params(
        ("name" = String, Path, description = "The key, and perhaps .tar.gz, .tar.zst, .zip or .tar"),
    ),
    responses(
        (status = 200, description = "The object or an archive", content((ResultObject = "application/json"), (Archive = "application/gzip"), (Archive = "application/zstd"), (Archive = "application/zip"),
            (Archive = "application/x-tar"))),
        (status = "4XX", description = "The request is refused", content_type = "application/problem+json", body = Problem),
        (status = "5XX", description = "The server can not do it", content_type = "application/problem+json", body = Problem),
    ),
)]
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
    let Found { stored, origin } = state.stored(key).await?;
    match format.flatten() {
        Some(format) => {
            let archive = state.archive(&stored, format).await?;
            Ok(reply::kept(&request, &archive, format.media_type(), origin))
        }
        None => {
            let object = stored.object().ok_or_else(|| ApiError::new(Kind::RESULT_NOT_FOUND, key))?;
            Ok(reply::kept(&request, object, "application/json", origin))
        }
    }
}

/// `GET /v1/results/{key}/files/{path}`: one file of the archive.
///
/// # Errors
/// There is no such file.
#[utoipa::path(
    get, path = "/v1/results/{key}/files/{path}", tag = "results", operation_id = "result_file",
    params(
        ("key" = String, Path, description = "The key"),
        ("path" = String, Path, description = "The path in the archive"),
    ),
    responses(
        (status = 200, description = "The file", content_type = "text/plain", body = String),
        (status = "4XX", description = "The request is refused", content_type = "application/problem+json", body = Problem),
        (status = "5XX", description = "The server can not do it", content_type = "application/problem+json", body = Problem),
    ),
)]
pub async fn file(
    state: Data<State>,
    request: HttpRequest,
    names: Path<(String, String)>,
) -> Result<HttpResponse, ApiError> {
    let (key, path) = names.into_inner();
    let Found { stored, origin } = state.stored(&key).await?;
    let missing =
        || ApiError::new(Kind::NOT_FOUND, format!("the result has no file '{}'", path.escape_debug()));
    let blob = stored.files.get(&path).ok_or_else(missing)?;
    // Pages are served below /v1/sites only, where a policy keeps them harmless.
    let media_type = match reply::media_type(&path) {
        page if page.starts_with("text/") => "text/plain; charset=utf-8",
        "image/svg+xml" => "text/plain; charset=utf-8",
        other => other,
    };
    Ok(reply::kept(&request, blob, media_type, origin))
}
