//! `POST /v1/tblgen?flags=…`: one output as text.

use std::sync::Arc;

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Payload},
};

use super::{apply, parameters};
use crate::{
    body,
    error::{ApiError, Kind},
    flags,
    manifest::{Manifest, Output, Target},
    reply::{self, Keep},
    state::{State, Upload},
};

/// What a single `.td` file is called.
pub const SINGLE: &str = "input.td";

const OUTPUT: &str = "output";

/// The body is one `.td` file, or an archive and `td` names the root in it. Answers with the output's bytes.
///
/// # Errors
/// The request is refused, or the output could not be made.
pub async fn tblgen(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let parameters = parameters(&request)?;
    let body = body::read(&state, &request, payload).await?;
    body::check_media_type(&request, &body.bytes)?;
    let upload = Upload {
        body: body.bytes,
        single: Some(SINGLE),
        salt: format!("tblgen?{}", request.query_string()),
        change: Box::new(move |manifest| single_target(manifest, &parameters)),
    };
    let state: Arc<State> = state.into_inner();
    let stored = state.result(upload).await?;
    drop(body.permit);
    if !stored.is_ok {
        return Err(reply::failure(&stored));
    }
    let made = stored.files.get(&format!("cpp/{OUTPUT}"));
    let made = made.ok_or_else(|| ApiError::new(Kind::INTERNAL, "the output is not there"))?;
    Ok(reply::blob(&request, made, "text/plain; charset=utf-8", Keep::Never))
}

fn single_target(manifest: &mut Manifest, parameters: &[(String, String)]) -> Result<(), String> {
    let mut target = Target { td: Some(SINGLE.to_owned()), ..Target::default() };
    let mut output = Output { path: OUTPUT.to_owned(), flags: Vec::new() };
    manifest.docs.enabled = false;
    for (name, value) in parameters {
        match name.as_str() {
            "td" => target.td = Some(value.clone()),
            "flags" => output.flags.extend(flags::words(value)),
            name => {
                if !apply(manifest, name, value)? {
                    return Err(format!("there is no parameter '{name}'"));
                }
            }
        }
    }
    target.outputs.push(output);
    manifest.target = vec![target];
    Ok(())
}
