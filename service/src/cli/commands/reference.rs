//! The commands as data for other programs: groups, flags, examples and exit codes, from the parser.

use clap::{Arg, Command};
use serde_json::{Value, json};

use super::{exit, help};

/// Describes all commands.
#[must_use]
pub fn commands() -> Value {
    let mut all = help::command();
    all.build();
    let groups = help::GROUPS.iter().map(|(name, commands)| {
        let commands = commands.iter().filter_map(|name| all.find_subcommand(name));
        json!({ "name": name, "commands": commands.map(described).collect::<Value>() })
    });
    let code = |(code, meaning): &(u8, &str)| json!({ "code": code, "meaning": meaning });
    json!({
        "schema": "odsmith.commands/1",
        "groups": groups.collect::<Value>(),
        "flags": all.get_arguments().filter_map(flag).collect::<Value>(),
        "exit_codes": exit::TABLE.iter().chain(&exit::SIGNALS).map(code).collect::<Value>(),
        "registry_exit_codes": exit::REGISTRY.iter().map(code).collect::<Value>(),
    })
}

fn described(command: &Command) -> Value {
    let name = command.get_name();
    let examples = help::EXAMPLES.iter().filter(|(own, _)| *own == name).flat_map(|(_, examples)| examples);
    let below = command.get_subcommands().filter(|below| below.get_name() != "help");
    let mut usage = command.clone().render_usage().to_string();
    usage = usage.trim_start_matches("Usage: ").to_owned();
    // The flags of `tblgen` are mlir-tblgen's.
    let (arguments, flags) = match name {
        "tblgen" => (Vec::new(), Vec::new()),
        _ => (
            command.get_positionals().map(argument).collect(),
            command.get_arguments().filter_map(flag).collect(),
        ),
    };
    json!({
        "name": name,
        "about": text(command.get_about()),
        "usage": usage,
        "arguments": arguments,
        "flags": flags,
        "commands": below.map(described).collect::<Value>(),
        "examples": examples.map(|(what, line)| json!({ "about": what, "line": line })).collect::<Value>(),
    })
}

fn text(styled: Option<&impl ToString>) -> String {
    styled.map(ToString::to_string).unwrap_or_default()
}

fn argument(arg: &Arg) -> Value {
    json!({
        "name": value_name(arg), "about": text(arg.get_help()), "default": default(arg),
        "is_required": arg.is_required_set(), "is_repeated": is_repeated(arg), "values": values(arg),
    })
}

/// Describes a flag, unless it is hidden or the parser's own.
fn flag(arg: &Arg) -> Option<Value> {
    let long = arg.get_long().filter(|long| !arg.is_hide_set() && !["help", "version"].contains(long))?;
    let takes_value = arg.get_action().takes_values();
    Some(json!({
        "name": format!("--{long}"),
        "short": arg.get_short().map(|short| format!("-{short}")),
        "value": takes_value.then(|| value_name(arg)),
        "about": text(arg.get_help()),
        "default": if takes_value { default(arg) } else { None },
        "variable": arg.get_env().map(|name| name.to_string_lossy().into_owned()),
        "values": if takes_value { values(arg) } else { Vec::new() },
        "is_repeated": is_repeated(arg),
        "group": arg.get_help_heading().unwrap_or("Options"),
    }))
}

fn value_name(arg: &Arg) -> String {
    let names = arg.get_value_names().unwrap_or_default();
    names.first().map_or_else(|| arg.get_id().as_str().to_uppercase(), ToString::to_string)
}

fn default(arg: &Arg) -> Option<String> {
    arg.get_default_values().first().map(|value| value.to_string_lossy().into_owned())
}

fn is_repeated(arg: &Arg) -> bool {
    matches!(arg.get_action(), clap::ArgAction::Append | clap::ArgAction::Count)
}

fn values(arg: &Arg) -> Vec<String> {
    let all = arg.get_possible_values().into_iter().filter(|value| !value.is_hide_set());
    all.map(|value| value.get_name().to_owned()).collect()
}
