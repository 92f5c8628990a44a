//! Which release a library on the disk is of.

use std::{
    fs,
    path::{Path, PathBuf},
};

use odsmith_engine::release::Release;

/// The major version that the headers beside a library say, if they are there.
#[must_use]
pub fn header_release(include: &Path) -> Option<String> {
    let header = fs::read_to_string(include.join("llvm/Config/llvm-config.h")).ok()?;
    let version = header.lines().find_map(|line| line.strip_prefix("#define LLVM_VERSION_MAJOR "))?;
    Some(version.trim().to_owned())
}

/// The release of the first include folder with headers that say one. No more than one file is read.
pub(crate) fn release_of(includes: &[String]) -> Option<Release> {
    let found = includes.iter().map(PathBuf::from).find_map(|include| header_release(&include))?;
    Release::parse(&found).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_say_the_release() {
        let folder = std::env::temp_dir().join(format!("odsmith-headers-{}", std::process::id()));
        let config = folder.join("include/llvm/Config");
        fs::create_dir_all(&config).expect("a folder");
        let say = |major: &str| {
            let header = format!("/* Major version */\n#define LLVM_VERSION_MAJOR {major}\n");
            fs::write(config.join("llvm-config.h"), header).expect("a header");
            let includes = ["own", "include"].map(|name| folder.join(name).to_string_lossy().into_owned());
            release_of(&includes)
        };
        assert_eq!(say("19"), Some(Release::V19));
        assert_eq!(say("20"), None);
        assert_eq!(release_of(&[]), None);
        let _ = fs::remove_dir_all(&folder);
    }
}
