//! HTTP: a request comes in and becomes a job or a lookup in the store; an answer goes out.
//!
//! ```text
//! listening, connections, framing, refusals    sockets, before the framework has read a request
//! app                                          the layers around every answer
//! access, tokens, quota, proxies               who a client is, and what it may do
//! routes                                       the endpoints, with a handler each
//! body, forms, query                           requests, read
//! reply, pieces, error                         answers, written
//! ```

pub mod access;
pub mod app;
pub mod body;
pub mod conditions;
pub mod connections;
pub mod forms;
pub mod framing;
pub mod in_flight;
pub mod listening;
pub mod openapi;
pub mod pieces;
pub mod problem;
pub mod proxies;
pub mod query;
pub mod quota;
pub mod refusals;
pub mod reply;
pub mod routes;
pub mod signals;
pub mod site_origin;
pub mod state;
pub mod tokens;
