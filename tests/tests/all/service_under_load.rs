//! The service as a process under load: too many requests, a stop meanwhile, and one job that uses all its limits.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use odsmith_tests::{archive::zip, folder::TestFolder, http::Service};

/// Work for some tenths of a second, different for each number.
fn heavy(number: usize) -> Vec<u8> {
    format!("def A{number};\nforeach i = !range(0, 20000) in def B#i {{ int x = !mul(i, {number}); }}\n")
        .into_bytes()
}

/// Sends requests from many threads at once; returns the number of answers by status, and of refusals without a
/// `Retry-After`.
fn storm(service: &Arc<Service>, clients: usize, requests: usize) -> (BTreeMap<u16, usize>, usize) {
    let next = Arc::new(AtomicUsize::new(0));
    let statuses = Arc::new(Mutex::new(BTreeMap::new()));
    let without_advice = Arc::new(AtomicUsize::new(0));
    let clients: Vec<_> = (0..clients)
        .map(|_| {
            let (service, next, statuses, without) =
                (service.clone(), next.clone(), statuses.clone(), without_advice.clone());
            thread::spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::SeqCst);
                    if number >= requests {
                        break;
                    }
                    let answer = service.request("POST", "/v1/tblgen", &[], &heavy(number));
                    if answer.status == 503 && answer.header("retry-after").is_none() {
                        without.fetch_add(1, Ordering::SeqCst);
                    }
                    *statuses.lock().expect("no client panics").entry(answer.status).or_default() += 1;
                }
            })
        })
        .collect();
    clients.into_iter().for_each(|client| client.join().expect("a client ends well"));
    let statuses = statuses.lock().expect("no client panics").clone();
    (statuses, without_advice.load(Ordering::SeqCst))
}

#[test]
fn overload_is_shed_and_passes() {
    let service = Arc::new(Service::start(&["--limit", "jobs_running=1", "--limit", "jobs_waiting=4"]));
    // Ten times the capacity of the queue.
    let (statuses, without_advice) = storm(&service, 40, 120);
    let count = |status: u16| statuses.get(&status).copied().unwrap_or_default();
    assert_eq!(count(200) + count(503), 120, "{statuses:?}");
    assert!(count(200) > 0 && count(503) > 0, "{statuses:?}");
    assert_eq!(without_advice, 0, "each 503 says when to come again");
    assert_eq!(service.request("POST", "/v1/tblgen", &[], b"def A;").status, 200, "it has recovered");
}

#[test]
fn an_orderly_end_loses_no_request() {
    let service = Arc::new(Service::start(&[]));
    let (answered, lost) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
    let clients: Vec<_> = (0..6)
        .map(|client| {
            let (service, answered, lost) = (service.clone(), answered.clone(), lost.clone());
            thread::spawn(move || {
                for number in 0.. {
                    let lost_as = match service.try_request(
                        "POST",
                        "/v1/tblgen",
                        &[],
                        &heavy(client * 1000 + number),
                    ) {
                        Ok(Some(answer)) if answer.status == 200 => {
                            answered.fetch_add(1, Ordering::SeqCst);
                            continue;
                        }
                        Ok(Some(answer)) => format!("status {}", answer.status),
                        Ok(None) => String::from("no answer on a connection"),
                        // It accepts no more connections.
                        Err(_) => break,
                    };
                    lost.lock().expect("no client panics").push(lost_as);
                }
            })
        })
        .collect();
    thread::sleep(Duration::from_millis(1500));
    service.signal("-TERM");
    clients.into_iter().for_each(|client| client.join().expect("a client ends well"));
    assert!(answered.load(Ordering::SeqCst) > 0);
    let lost = lost.lock().expect("no client panics");
    assert!(lost.is_empty(), "requests that were taken and not answered: {lost:?}");
    assert_eq!(service.wait(), Some(0), "it ends well");
}

/// A job that no client waits for ends before its server does, so that its address is good afterwards.
#[test]
fn an_orderly_end_finishes_what_was_promised() {
    let folder = TestFolder::new("orderly-end");
    let store = folder.join("store").display().to_string();
    let service = Service::start(&["--store", &store]);
    let headers = [("Prefer", "respond-async"), ("Accept", "application/json")];
    let begun = service.request("POST", "/v1/generate", &headers, &zip(&[("a.td".to_owned(), heavy(7))]));
    assert_eq!(begun.status, 202, "{}", String::from_utf8_lossy(&begun.body));
    service.signal("-TERM");
    assert_eq!(service.wait(), Some(0), "it ends well");
    let again = Service::start(&["--store", &store]);
    let made = again.get(begun.header("location").expect("an address"));
    assert_eq!((made.status, made.header("cache-status")), (200, Some("odsmith; hit; detail=disk")));
}

#[test]
fn a_sudden_end_costs_what_was_in_flight() {
    let service = Service::start(&[]);
    let address = service.request(
        "POST",
        "/v1/generate",
        &[("Accept", "application/json"), ("Content-Type", "application/json")],
        br#"{"files":{"a.td":"def A;"}}"#,
    );
    assert_eq!(address.status, 200);
    service.signal("-KILL");
    assert_eq!(service.wait(), None);
    // Nothing needs repair: the next server gives the same bytes.
    let again = Service::start(&[]).request(
        "POST",
        "/v1/generate",
        &[("Accept", "application/json"), ("Content-Type", "application/json")],
        br#"{"files":{"a.td":"def A;"}}"#,
    );
    assert_eq!(again.body, address.body);
}

#[test]
fn hits_do_not_wait_for_one_who_takes_all() {
    let service = Arc::new(Service::start(&["--limit", "jobs_running=1"]));
    let headers = [("Content-Type", "application/json")];
    let made = service.request("POST", "/v1/generate", &headers, br#"{"files":{"a.td":"def A;"}}"#);
    let address = format!("{}.tar.gz", made.header("content-location").expect("an address"));
    let hits = |service: &Service| {
        let mut times: Vec<Duration> = (0..300)
            .map(|_| {
                let start = Instant::now();
                assert_eq!(service.get(&address).status, 200);
                start.elapsed()
            })
            .collect();
        times.sort_unstable();
        times[times.len() / 2]
    };
    let alone = hits(&service);
    let is_over = Arc::new(AtomicBool::new(false));
    let (burner, over) = (service.clone(), is_over.clone());
    let burner = thread::spawn(move || {
        let many = "!range(0, 10000)";
        let mut burnt = 0;
        while !over.load(Ordering::SeqCst) {
            let text = format!(
                "defvar n = {burnt};\nforeach i = {many} in foreach j = {many} in defvar x = !add(i, j, n);"
            );
            let answer = burner.request("POST", "/v1/tblgen", &[], text.as_bytes());
            assert_eq!(answer.status, 422, "{}", String::from_utf8_lossy(&answer.body));
            assert_eq!(answer.json()["code"], "limit-exceeded");
            burnt += 1;
        }
        burnt
    });
    thread::sleep(Duration::from_millis(300));
    let beside = hits(&service);
    is_over.store(true, Ordering::SeqCst);
    assert!(burner.join().expect("the burner ends well") > 0);
    println!("a hit takes {alone:?} alone, and {beside:?} beside a job that burns all its fuel");
    // A lower bound keeps the scheduling of a shared machine out of it.
    let bound = (alone * 2).max(Duration::from_millis(5));
    assert!(beside <= bound, "{alone:?} alone, {beside:?} beside it");
}
