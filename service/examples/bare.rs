//! The lower bound for the cost of a hit: actix-web and moka, and nothing else. `tests/bench/service.py` compares with
//! it.
//!
//! `bare PORT BYTES` answers `GET /{key}` with so many bytes from a cache, and with 304 if the client has them.

use std::{env, io};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    http::header,
    rt::System,
    web::{self, Bytes, Data},
};
use moka::future::Cache;

const ETAG: &str = "\"bare\"";

async fn hit(
    cache: Data<Cache<String, Bytes>>,
    key: web::Path<String>,
    request: HttpRequest,
) -> HttpResponse {
    let Some(bytes) = cache.get(key.as_str()).await else { return HttpResponse::NotFound().finish() };
    if request.headers().get(header::IF_NONE_MATCH).is_some_and(|tag| tag == ETAG) {
        return HttpResponse::NotModified().insert_header((header::ETAG, ETAG)).finish();
    }
    HttpResponse::Ok().insert_header((header::ETAG, ETAG)).content_type("application/gzip").body(bytes)
}

fn main() -> io::Result<()> {
    let mut args = env::args().skip(1).filter_map(|arg| arg.parse().ok());
    let (port, size) = (args.next().unwrap_or(8081_u16), args.next().unwrap_or(4096));
    System::new().block_on(async move {
        let cache: Cache<String, Bytes> =
            Cache::builder().max_capacity(1 << 30).weigher(|_, bytes: &Bytes| bytes.len() as u32).build();
        cache.insert("key".to_owned(), Bytes::from(vec![b'x'; usize::from(size)])).await;
        let cache = Data::new(cache);
        let app = move || App::new().app_data(cache.clone()).route("/{key}", web::get().to(hit));
        HttpServer::new(app).bind(("127.0.0.1", port))?.run().await
    })
}
