//! The protocol between odsmith and this program. `odsmith schema plugin` describes it.
#![allow(dead_code)]

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};
use serde_json::Value;

@TYPES@
impl Response {
    /// Asks for data: the program runs once more, and its request has them.
    pub fn needs(needs: Needs) -> Response {
        Response { protocol: PROTOCOL, needs: Some(needs), ..Response::default() }
    }

    /// Answers with the file that is asked for.
    pub fn file(request: &Request, text: String) -> Response {
        let name = request.outputs.first().cloned().unwrap_or_default();
        Response { protocol: PROTOCOL, files: vec![File { name, text }], ..Response::default() }
    }

    /// Answers with an error at a def.
    pub fn error(record: &str, message: &str) -> Response {
        let place = Place { record: Some(record.to_owned()), ..Place::default() };
        let error = Message { message: message.to_owned(), place: Some(place), ..Message::default() };
        Response { protocol: PROTOCOL, diagnostics: vec![error], ..Response::default() }
    }
}

/// The defs of a class, by their names.
pub fn of_class<'r>(records: &'r Value, class: &str) -> impl Iterator<Item = (&'r str, &'r Value)> {
    let names = records["!instanceof"][class].as_array().into_iter().flatten();
    names.filter_map(|name| Some((name.as_str()?, &records[name.as_str()?])))
}

/// Reads the request and writes the answer of `generate`, or its error.
pub fn run(generate: impl FnOnce(&Request) -> Result<Response, String>) {
    let answer = read().and_then(|request| generate(&request)).and_then(|response| write(&response));
    if let Err(message) = answer {
        eprintln!("{message}");
        std::process::exit(1);
    }
}

fn read() -> Result<Request, String> {
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    let message = bytes.get(4..).ok_or("there is no request")?;
    serde_json::from_slice(message).map_err(|error| error.to_string())
}

fn write(response: &Response) -> Result<(), String> {
    let message = serde_json::to_vec(response).map_err(|error| error.to_string())?;
    let length = u32::try_from(message.len()).map_err(|error| error.to_string())?;
    let mut out = io::stdout();
    out.write_all(&length.to_le_bytes())
        .and_then(|()| out.write_all(&message))
        .and_then(|()| out.flush())
        .map_err(|error| error.to_string())
}
