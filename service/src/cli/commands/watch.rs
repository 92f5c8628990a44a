//! `odsmith docs --watch`: serves the site on this machine, and remakes it when a file changes.
//!
//! Files are polled several times a second: that works on every file system, even on those that do not report
//! changes, and a walk over a project's definitions takes a few milliseconds.

use std::{
    collections::BTreeMap,
    fs,
    net::{Ipv4Addr, TcpListener},
    path::Path,
    process::{Command, Stdio},
    sync::{Arc, PoisonError, RwLock},
    thread,
    time::{Duration, Instant, SystemTime},
};

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, http::header, rt, web};
use tokio::sync::watch;

use super::{
    Destination, display,
    docs::{Options, notes, pages},
    exit::ExitStatus,
    has_error, to_stderr,
};
use crate::{
    http::reply::media_type,
    pipeline::material::{self, Material},
    store::{archive, disk},
};

/// The time between two polls.
const PAUSE: Duration = Duration::from_millis(150);
/// The longest wait before a page's request for the next version is answered.
const LONGEST_WAIT: Duration = Duration::from_secs(25);

/// The site that is served.
#[derive(Debug, Default)]
struct ServedSite {
    /// The version, from 1.
    version: u64,
    files: BTreeMap<String, Vec<u8>>,
}

/// Serves the site until the program is stopped.
pub(super) fn run(options: &Options) -> Result<ExitStatus, String> {
    let shown = Arc::new(RwLock::new(ServedSite::default()));
    let (versions, version) = watch::channel(0u64);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))
        .map_err(|error| format!("port {}: {}", options.port, disk::reason(&error)))?;
    let port = listener.local_addr().map_err(|error| disk::reason(&error))?.port();

    let mut stamp = stamp(options);
    make(options, &shown, &versions)?;
    let server = Arc::clone(&shown);
    thread::spawn(move || serve(listener, server, version));
    let address = format!("http://127.0.0.1:{port}/");
    to_stderr(format!("{address} shows the site; Ctrl-C ends it\n").as_bytes());
    if options.open {
        open(&address);
    }
    loop {
        thread::sleep(PAUSE);
        let now = self::stamp(options);
        if now != stamp {
            stamp = now;
            // A half-written file is read again when it changes again.
            if let Err(message) = make(options, &shown, &versions) {
                display::error(&message);
            }
        }
    }
}

/// Makes the site; if it has no pages, the earlier site stays.
fn make(options: &Options, shown: &RwLock<ServedSite>, versions: &watch::Sender<u64>) -> Result<(), String> {
    let start = Instant::now();
    let workspace = options.input.workspace()?;
    let material = Material { is_live: true, ..options.material(None, workspace.as_ref())? };
    let (files, request) = options.input.prepare_in(workspace, |manifest| options.ask(manifest, None))?;
    // The pages are served from memory.
    let finished = files.run(options.with(request, material), None)?;
    let is_wrong = has_error(finished.result.all_diagnostics());
    notes(&finished);
    let files = pages(finished);
    let count = files.len();
    if let Some(out) = options.out.as_ref().filter(|_| count > 0) {
        let destination = Destination::new(out, "docs", options.input.place())?;
        let written = destination.write(&files);
        _ = destination.finish(!is_wrong, written)?;
    }
    if count > 0 {
        let mut shown = shown.write().unwrap_or_else(PoisonError::into_inner);
        *shown = ServedSite { version: shown.version + 1, files };
        versions.send_replace(shown.version);
    }
    display::closing(&format!("{count} files in {:.2} s", start.elapsed().as_secs_f64()));
    Ok(())
}

/// Lists the files with their times of change and sizes.
fn stamp(options: &Options) -> Vec<(String, SystemTime, u64)> {
    let input = &options.input;
    let mut files = Vec::new();
    let mut add = |path: &str, place: &Path| {
        if let Ok(data) = fs::metadata(place) {
            files.push((path.to_owned(), data.modified().unwrap_or(SystemTime::UNIX_EPOCH), data.len()));
        }
    };
    // A folder that vanishes during the walk is picked up next time.
    if let Ok(Some(workspace)) = input.workspace() {
        for (path, place) in workspace.files() {
            if archive::is_of_interest(&path) || path.ends_with(".mlir") || material::is_image(&path) {
                add(&path, &place);
            }
        }
    }
    if !input.input.is_dir() {
        add("", &input.input);
    }
    if let Some(theme) = &options.theme {
        let _ = disk::walk(theme, "theme", 0, &mut |path, place| {
            add(path, place);
            Ok(())
        });
    }
    files
}

fn serve(listener: TcpListener, shown: Arc<RwLock<ServedSite>>, version: watch::Receiver<u64>) {
    let app = move || {
        App::new()
            .app_data(web::Data::from(Arc::clone(&shown)))
            .app_data(web::Data::new(version.clone()))
            .route("/~version", web::get().to(next_version))
            .default_service(web::get().to(file))
    };
    let served = HttpServer::new(app).workers(1).disable_signals().listen(listener).map(HttpServer::run);
    let ended = served.and_then(|server| rt::System::new().block_on(server));
    if let Err(error) = ended {
        display::error(&disk::reason(&error));
    }
}

/// Answers with the version of the site; waits for a while if the page has that version already.
async fn next_version(request: HttpRequest, version: web::Data<watch::Receiver<u64>>) -> HttpResponse {
    let mut version = version.get_ref().clone();
    let known = request.query_string().strip_prefix("after=").and_then(|text| text.parse::<u64>().ok());
    if let Some(known) = known {
        // A timeout is an answer too: the version has not changed.
        let _ = rt::time::timeout(LONGEST_WAIT, version.wait_for(|now| *now != known)).await;
    }
    let now = *version.borrow();
    HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-store")).body(now.to_string())
}

async fn file(request: HttpRequest, shown: web::Data<RwLock<ServedSite>>) -> HttpResponse {
    let path = request.path();
    let path = path.trim_start_matches('/');
    let path =
        if path.is_empty() || path.ends_with('/') { format!("{path}index.html") } else { path.to_owned() };
    let shown = shown.read().unwrap_or_else(PoisonError::into_inner);
    match shown.files.get(&path) {
        Some(bytes) => HttpResponse::Ok()
            .insert_header((header::CACHE_CONTROL, "no-store"))
            .insert_header((header::CONTENT_TYPE, media_type(&path)))
            .insert_header(("Server-Timing", format!("version;desc=\"{}\"", shown.version)))
            .body(bytes.clone()),
        None => HttpResponse::NotFound().body("There is no such page."),
    }
}

/// Opens a browser; without one, users have the address that was printed before.
pub(super) fn open(address: &str) {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/c", "start"])
    } else {
        ("xdg-open", &[])
    };
    let quiet = Command::new(program)
        .args(before)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if quiet.is_err() {
        display::warning("no program here opens a browser");
    }
}
