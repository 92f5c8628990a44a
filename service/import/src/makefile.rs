//! Reads the recipes in the `build.make` files of CMake's Makefile generator.

use super::{Origin, Reading, command::Commands};

/// Reads such files, each with its path below the build's folder.
#[must_use]
pub fn read(files: &[(String, String)], folder: &str) -> Reading {
    let mut commands = Commands::default();
    for (file, text) in files {
        let file = format!("{folder}/{file}");
        for (index, line) in text.lines().enumerate() {
            // A recipe is a line after a tab; CMake does not split recipes.
            let Some(recipe) = line.strip_prefix('\t') else { continue };
            let recipe = recipe.replace("$(CMAKE_COMMAND)", "cmake").replace("$$", "$");
            commands.line(&recipe, folder, &Origin { file: file.clone(), line: index + 1 });
        }
    }
    commands.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipes() {
        let text = "CMAKE_COMMAND = /usr/bin/cmake\ninc/A.inc: /s/A.td\n\
                    \tcd /b/inc && /x/mlir-tblgen -gen-rewriters -I/s /s/A.td --write-if-changed -o /b/inc/A.inc\n\
                    inc/B.md:\n\t$(CMAKE_COMMAND) -E copy /b/inc/A.inc /b/B.inc\n";
        let reading = read(&[("build.make".to_owned(), text.to_owned())], "/b");
        let outputs: Vec<&str> = reading.calls.iter().map(|call| call.output.as_str()).collect();
        assert_eq!(outputs, ["/b/inc/A.inc", "/b/B.inc"]);
    }
}
