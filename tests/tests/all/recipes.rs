//! The recipes of the integrations' page, run against a real server.

use std::{
    collections::HashMap,
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process::Command,
    sync::{Arc, Mutex},
    thread,
};

use odsmith_tests::{
    archive::{files_below, gunzip, gzip, tar, untar},
    folder::TestFolder,
    http::Service,
    set_up::{library, odsmith, repository, tests_folder},
};

/// Runs a shell script in a new folder with SERVER set; returns its output, or `None` if a program is missing.
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
fn shell(name: &str, programs: &[&str], service: &Service, script: &str) -> Option<(TestFolder, String)> {
    for program in programs {
        if Command::new(program).arg("--version").output().is_err() {
            println!("skipped: there is no {program}");
            return None;
        }
    }
    let folder = TestFolder::new(&format!("recipe-{name}"));
    let bundle = gzip(&tar(&files_below(&tests_folder().join("fixtures/demo"))));
    folder.write("bundle.tar.gz", bundle);
    let output = Command::new("sh")
        .args(["-euc", script])
        .env("SERVER", service.address())
        .env("MODULE", repository().join("service/integrations/cmake"))
        .env("ODSMITH", odsmith())
        .env("LIBRARY", library())
        .current_dir(&folder)
        .output()
        .expect("sh runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{script}\n{text}{}", String::from_utf8_lossy(&output.stderr));
    Some((folder, text))
}

#[test]
fn curl_sends_and_receives() {
    let service = Service::start(&[]);
    let script = r#"
        curl -sS --fail-with-body --data-binary @bundle.tar.gz -o out.tar.gz "$SERVER/v1/generate"
        # Once, then by name.
        sum=$(sha256sum < bundle.tar.gz | cut -d' ' -f1)
        curl -sS --fail-with-body -T bundle.tar.gz -o /dev/null "$SERVER/v1/bundles/$sum"
        curl -sS --fail-with-body -L -o again.tar.gz "$SERVER/v1/generate?bundle=$sum"
        cmp out.tar.gz again.tar.gz
        # The digest that a build pins.
        curl -sS --fail-with-body -H 'accept: application/json' --data-binary @bundle.tar.gz "$SERVER/v1/generate" > result.json
        grep -q "\"sha256\": \"$(sha256sum < out.tar.gz | cut -d' ' -f1)\"" result.json
        # A part, and the rest of it.
        place=$(curl -sS -o /dev/null -w '%{redirect_url}' "$SERVER/v1/generate?bundle=$sum")
        head -c 1000 out.tar.gz > part.tar.gz
        curl -sS --fail-with-body -C - -o part.tar.gz "$place"
        cmp out.tar.gz part.tar.gz
        tar -tzf out.tar.gz | head -n 3
        # One output.
        echo 'def A;' | curl -sS --fail-with-body --data-binary @- "$SERVER/v1/tblgen?flags=--print-records"
    "#;
    let Some((folder, text)) = shell("curl", &["curl"], &service, script) else { return };
    let files = untar(&gunzip(&fs::read(folder.join("out.tar.gz")).expect("the archive")));
    assert!(files.iter().any(|(path, _)| path == "result.json"));
    assert!(text.contains("def A {"), "{text}");
}

/// Starts a server that requires a token, and returns it with a token.
fn guarded(name: &str) -> (Service, String, TestFolder) {
    let folder = TestFolder::new(&format!("tokens-{name}"));
    let tokens = folder.join("tokens");
    let mut make = Command::new(odsmith());
    make.args(["token", "ci", "--scope", "generate", "--file"]).arg(&tokens);
    let made = make.output().expect("odsmith runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let service = Service::start(&["--tokens", &tokens.to_string_lossy()]);
    (service, String::from_utf8_lossy(&made.stdout).trim().to_owned(), folder)
}

#[test]
fn a_netrc_is_enough_where_tokens_are_needed() {
    let (service, token, _folder) = guarded("netrc");
    let script = r#"
        printf 'machine 127.0.0.1 login any password %s\n' TOKEN > netrc
        ask() { curl -sS --fail-with-body --netrc-file netrc "$@"; }
        if curl -sS -f -o /dev/null "$SERVER/v1/version" 2>/dev/null; then exit 1; fi
        ask -D head -o out.tar.gz --data-binary @bundle.tar.gz "$SERVER/v1/generate"
        place=$(tr -d '\r' < head | sed -n 's/^content-location: //p')
        ask -o again.tar.gz "$SERVER$place.tar.gz"
        cmp out.tar.gz again.tar.gz
        ask -o byte.tar.gz "$SERVER/cas/$(sha256sum < out.tar.gz | cut -d' ' -f1)"
        cmp out.tar.gz byte.tar.gz
    "#;
    let _ = shell("netrc", &["curl"], &service, &script.replace("TOKEN", &token));
}

#[test]
fn cmake_downloads_with_a_token() {
    let (service, token, _folder) = guarded("cmake");
    let script = r#"
        ask() { curl -sS --fail-with-body -H 'authorization: Bearer TOKEN' "$@"; }
        place=$(ask -D - -o out.tar.gz --data-binary @bundle.tar.gz "$SERVER/v1/generate" | tr -d '\r' | sed -n 's/^content-location: //p')
        sum=$(sha256sum < out.tar.gz | cut -d' ' -f1)
        fetch() {
            mkdir -p $1
            cat > $1/fetch.cmake <<EOF
set(CMAKE_BINARY_DIR "\${CMAKE_CURRENT_LIST_DIR}")
list(APPEND CMAKE_MODULE_PATH "$MODULE")
include(Odsmith)
odsmith_fetch(unpacked SERVER $SERVER KEY ${place##*/} SHA256 $sum $2)
EOF
            (cd $1 && cmake -P fetch.cmake)
        }
        fetch named 'TOKEN TOKEN'
        ODSMITH_TOKEN=TOKEN fetch environment ''
        ls named/unpacked environment/unpacked
        if fetch none '' 2>/dev/null; then exit 1; fi
    "#;
    let script = script.replace("'TOKEN TOKEN'", &format!("'TOKEN {token}'"));
    let script = script.replace("Bearer TOKEN", &format!("Bearer {token}"));
    let script = script.replace("=TOKEN ", &format!("={token} "));
    let shown = shell("cmake-token", &["cmake", "curl"], &service, &script);
    if let Some((_, text)) = shown {
        assert_eq!(text.matches("result.json").count(), 2, "{text}");
    }
}

#[test]
fn cmake_downloads_by_digest() {
    let service = Service::start(&[]);
    let script = r#"
        place=$(curl -sS -D - -o out.tar.gz --data-binary @bundle.tar.gz "$SERVER/v1/generate" | tr -d '\r' | sed -n 's/^content-location: //p')
        sum=$(sha256sum < out.tar.gz | cut -d' ' -f1)
        cat > fetch.cmake <<EOF
file(DOWNLOAD "$SERVER$place.tar.gz" out2.tar.gz EXPECTED_HASH SHA256=$sum)
set(CMAKE_BINARY_DIR "\${CMAKE_CURRENT_LIST_DIR}")
list(APPEND CMAKE_MODULE_PATH "$MODULE")
include(Odsmith)
odsmith_fetch(unpacked SERVER $SERVER KEY ${place##*/} SHA256 $sum)
EOF
        cmake -P fetch.cmake
        cmp out.tar.gz out2.tar.gz
        ls unpacked
        # Another digest is refused.
        sed "s/SHA256=$sum/SHA256=$(printf '%064d' 0)/" fetch.cmake > wrong.cmake
        if cmake -P wrong.cmake 2>/dev/null; then exit 1; fi
    "#;
    let Some((_, text)) = shell("cmake", &["cmake", "curl"], &service, script) else { return };
    assert!(text.contains("cpp") && text.contains("result.json") && text.contains("site"), "{text}");
}

#[test]
fn nix_fetches_by_digest() {
    let service = Service::start(&[]);
    let script = r#"
        place=$(curl -sS -D - -o out.tar.gz --data-binary @bundle.tar.gz "$SERVER/v1/generate" | tr -d '\r' | sed -n 's/^content-location: //p')
        sum=$(sha256sum < out.tar.gz | cut -d' ' -f1)
        # A store of its own.
        export HOME="$PWD/home" NIX_STORE_DIR="$PWD/store" NIX_STATE_DIR="$PWD/state" NIX_LOG_DIR="$PWD/log" NIX_CONF_DIR="$PWD/conf"
        fetch() {
            nix-instantiate --eval --read-write-mode -E "builtins.fetchurl { url = \"$SERVER$place.tar.gz\"; sha256 = \"$1\"; }" | tr -d '"'
        }
        cmp out.tar.gz "$(fetch "$sum")"
        # Another digest is refused.
        if fetch "$(printf '%064d' 0)" 2>/dev/null | grep -q store; then exit 1; fi
        echo fetched
    "#;
    let Some((folder, text)) = shell("nix", &["nix-instantiate", "curl"], &service, script) else { return };
    assert!(text.contains("fetched"), "{text}");
    let _ = Command::new("chmod").args(["-R", "u+w"]).arg(&folder).status();
}

/// Makes a project that Bazel builds with our rules.
const BAZEL_PROJECT: &str = r#"
        cp "$MODULE/../bazel/odsmith.bzl" .
        cp -r "$MODULE/../example/include/Foo" Foo
        rm -f Foo/CMakeLists.txt
        mkdir binary home && cp "$ODSMITH" binary/odsmith
        cat > WORKSPACE <<EOF
new_local_repository(name = "odsmith", path = "$PWD/binary", build_file_content = 'exports_files(["odsmith"])')
EOF
        cat > BUILD <<EOF
load("//:odsmith.bzl", "odsmith_tblgen")
odsmith_tblgen(
    name = "ops",
    td = "Foo/FooOps.td",
    srcs = glob(["Foo/*.td"]),
    includes = ["."],
    absolute_includes = ["$LIBRARY"],
    outs = ["FooOps.h.inc", "FooOps.cpp.inc"],
    flags = ["-gen-op-decls", "-gen-op-defs"],
)
EOF
        export HOME="$PWD/home"
"#;

#[test]
fn bazel_generates_and_fetches_by_digest() {
    let service = Service::start(&[]);
    let script = r#"
        place=$(curl -sS -D - -o out.tar.gz --data-binary @bundle.tar.gz "$SERVER/v1/generate" | tr -d '\r' | sed -n 's/^content-location: //p')
        sum=$(sha256sum < out.tar.gz | cut -d' ' -f1)
        cat >> WORKSPACE <<EOF
load("//:odsmith.bzl", "odsmith_archive")
odsmith_archive(name = "result", server = "$SERVER", key = "${place##*/}", sha256 = "$sum")
EOF
        cat >> BUILD <<EOF
genrule(name = "names", srcs = ["@result//:cpp"], outs = ["names.txt"], cmd = "ls \$(SRCS) > \$@")
EOF
        # The server is also a cache: it has none of these actions, and nothing is sent to it.
        bazel --batch --output_user_root="$PWD/out" build --remote_cache="$SERVER" --noremote_upload_local_results \
            //:ops //:names 2> log || { cat log; exit 1; }
        if grep -qE 'WARNING.*([Cc]ache|HTTP)' log; then cat log; exit 1; fi
        cat bazel-bin/names.txt
        "$ODSMITH" tblgen -gen-op-decls -I . -I "$LIBRARY" Foo/FooOps.td | cmp - bazel-bin/FooOps.h.inc
        chmod -R u+w out
    "#;
    let Some((_, text)) = shell("bazel", &["bazel", "curl"], &service, &[BAZEL_PROJECT, script].concat())
    else {
        return;
    };
    assert!(text.contains("cpp/") && text.contains(".h.inc"), "{text}");
}

/// A remote cache of Bazel that stores only actions, and takes bytes from the service by digest.
struct ActionCache {
    service: Service,
    actions: Mutex<HashMap<String, Vec<u8>>>,
    /// Paths below `/cas/` that the service had.
    taken: Mutex<Vec<String>>,
}

impl ActionCache {
    /// Answers one request on a connection.
    fn answer(&self, mut stream: TcpStream) -> Option<()> {
        let mut reader = BufReader::new(stream.try_clone().ok()?);
        let (mut line, mut length) = (String::new(), 0);
        reader.read_line(&mut line).ok()?;
        let mut words = line.split(' ');
        let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
        loop {
            let mut field = String::new();
            reader.read_line(&mut field).ok()?;
            let (name, value) = field.split_once(':').unwrap_or_default();
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().ok()?;
            }
            if field.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let (status, content) = match (&*method, path.starts_with("/ac/")) {
            ("PUT", true) => {
                self.actions.lock().ok()?.insert(path, body);
                (200, Vec::new())
            }
            // Bytes are not stored.
            ("PUT", false) => (200, Vec::new()),
            (_, true) => {
                self.actions.lock().ok()?.get(&path).map_or((404, Vec::new()), |kept| (200, kept.clone()))
            }
            (_, false) => {
                let answer = self.service.get(&path);
                if answer.status == 200 {
                    self.taken.lock().ok()?.push(path);
                }
                (answer.status, answer.body)
            }
        };
        let head = format!(
            "HTTP/1.1 {status} Answer\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            content.len()
        );
        stream.write_all(&[head.as_bytes(), &content].concat()).ok()
    }
}

#[test]
fn bazel_takes_bytes_of_the_service_by_digest() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let cache = format!("http://{}", listener.local_addr().expect("its address"));
    let neighbour = Arc::new(ActionCache {
        service: Service::start(&[]),
        actions: Mutex::default(),
        taken: Mutex::default(),
    });
    let answering = neighbour.clone();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let neighbour = answering.clone();
            thread::spawn(move || neighbour.answer(stream));
        }
    });
    let script = r#"
        tar -czf foo.tar.gz Foo
        build() {
            bazel --batch --output_user_root="$PWD/$1" build --spawn_strategy=local --remote_cache=CACHE //:ops 2> log || { cat log; exit 1; }
            cat bazel-bin/FooOps.h.inc bazel-bin/FooOps.cpp.inc > $1.inc
            chmod -R u+w $1
            rm -rf $1
        }
        build first
        # The service has not made these files, so the cached action is of no use.
        build second
        if grep -q 'remote cache hit' log; then cat log; exit 1; fi
        curl -sS --fail-with-body -o /dev/null --data-binary @foo.tar.gz "$SERVER/v1/generate"
        build third
        grep '2 remote cache hit' log || { cat log; exit 1; }
        cmp first.inc third.inc
    "#;
    let script = script.replace("CACHE", &cache);
    if shell("bazel-cache", &["bazel", "curl"], &neighbour.service, &[BAZEL_PROJECT, &script].concat())
        .is_none()
    {
        return;
    }
    let taken = neighbour.taken.lock().expect("no thread panicked here");
    assert_eq!(taken.len(), 2, "{taken:?}");
}
