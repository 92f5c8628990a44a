//! Jobs: work for requests, in a bounded pool, once for all clients that want the same result. A
//! [`Ticket`](ticket::Ticket) and a request come in; a stored result goes out, from memory, a store or a new run of the
//! pipeline.

pub mod catalogs;
pub mod leases;
pub mod pool;
pub mod readers;
pub mod results;
pub mod running;
pub mod ticket;
pub mod timing;
pub mod work;
