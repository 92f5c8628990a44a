//! A client and a server for HTTP tests: `odsmith serve` on a free port of the loopback interface, spoken to over a
//! plain socket so that nothing on the way touches headers or bytes.
