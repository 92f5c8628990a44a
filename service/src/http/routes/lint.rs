//! `POST /v1/lint`: finds questionable but valid definitions.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header,
    web::{Data, Payload},
};
use odsmith_engine::{
    report,
    review::lint::{finding::Findings, render},
};

use super::single;
use crate::{
    http::{
        openapi::RequestBody,
        query::{self, Policy, Settings},
        reply::{self, Form, MESSAGE_FORMS},
        state::State,
    },
    pipeline::{
        error::{ApiError, Kind},
        generate::FINDINGS,
        manifest::Manifest,
        request::{Change, SMALL_BODY},
    },
};

/// Evaluates, and answers with what lint finds under the policy of the bundle's odsmith.toml. `Accept` gets SARIF or text as
/// well, which have addresses of their own.
///
/// # Errors
/// The request is refused, or a root cannot be evaluated.
#[utoipa::path(
    post, path = "/v1/lint", tag = "make", operation_id = "lint",
    params(
        Policy,
        Settings,
    ),
    request_body(content((RequestBody = "application/json"), (String = "text/plain")), description = "One .td file, or whatever /v1/generate takes"),
    responses(
        (status = 200, description = "The findings", body = Findings),
    ),
)]
pub async fn lint(
    state: Data<State>,
    request: HttpRequest,
    payload: Payload,
) -> Result<HttpResponse, ApiError> {
    let (state, request) = (&state, &request);
    let wanted = reply::form(request, MESSAGE_FORMS)?;
    let (policy, settings) = query::with_settings::<Policy>(request)?;
    let change = change(policy, settings);
    let (found, ticket, timing) = single::result(state, request, payload, "lint", change).await?;
    // Definitions that cannot be evaluated must not look as if they had no findings.
    if !found.stored.is_ok {
        return Err(reply::failure(&found));
    }
    let made = found.stored.files.get(FINDINGS).map(|made| made.bytes.clone());
    let is_small = made.as_ref().is_none_or(|made| made.len() <= SMALL_BODY);
    let write = move || written(made.as_deref(), wanted);
    let text = if is_small { write()? } else { state.results.pool.run(&ticket, write).await?? };
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, "no-store"));
    let mut response = response.content_type(wanted.media_type()).body(text);
    timing.write_to(&mut response, &found);
    reply::varies(&mut response);
    Ok(response)
}

/// Returns the change of a manifest so that only findings are made.
pub(super) fn change(policy: Policy, settings: Settings) -> Change {
    Box::new(move |manifest: &mut Manifest| {
        manifest.make_nothing();
        manifest.findings = true;
        policy.apply(&mut manifest.lint);
        settings.apply(manifest);
        Ok(())
    })
}

/// Returns the findings of a result in the given form.
pub(super) fn written(made: Option<&[u8]>, wanted: Form) -> Result<Vec<u8>, ApiError> {
    let internal = |error: serde_json::Error| ApiError::new(Kind::INTERNAL, error.to_string());
    let findings = match made {
        Some(made) => serde_json::from_slice(made).map_err(internal)?,
        None => Findings::new(Vec::new()),
    };
    match wanted {
        Form::Json => serde_json::to_vec(&findings).map_err(internal),
        Form::Sarif => serde_json::to_vec(&render::sarif(&findings.findings)).map_err(internal),
        _ => Ok(report::text::list(&findings.findings).into_bytes()),
    }
}
