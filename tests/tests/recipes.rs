//! The recipes of the integrations' page, run against a real server.

use std::{env, fs, path::PathBuf, process::Command};

use odsmith_tests::{
    archive::{files_below, gunzip, gzip, tar, untar},
    http::Service,
    set_up::{repository, tests_folder},
};

/// Runs a shell script in a folder of its own with SERVER set; what it prints, or nothing where a program is missing.
#[expect(clippy::print_stdout, reason = "a test that is skipped says so")]
fn shell(name: &str, programs: &[&str], service: &Service, script: &str) -> Option<(PathBuf, String)> {
    for program in programs {
        if Command::new(program).arg("--version").output().is_err() {
            println!("skipped: there is no {program}");
            return None;
        }
    }
    let folder = env::temp_dir().join(format!("odsmith-recipe-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let bundle = gzip(&tar(&files_below(&tests_folder().join("fixtures/demo"))));
    fs::write(folder.join("bundle.tar.gz"), bundle).expect("a file");
    let output = Command::new("sh")
        .args(["-euc", script])
        .env("SERVER", service.address())
        .env("MODULE", repository().join("service/integrations/cmake"))
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
    let _ = fs::remove_dir_all(folder);
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
    let Some((folder, text)) = shell("cmake", &["cmake", "curl"], &service, script) else { return };
    assert!(text.contains("cpp") && text.contains("result.json") && text.contains("site"), "{text}");
    let _ = fs::remove_dir_all(folder);
}
