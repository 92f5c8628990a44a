//! Expressions that refer to groups: `(a|b)\1`.
//!
//! If the machine without groups finds a match, one thread after the other is tried, with the texts of the groups. Dead
//! ends are remembered, so that no thread is tried twice.

use std::collections::HashSet;

use rustc_hash::FxBuildHasher;

use super::{
    GROUPS, Program, Step,
    search::{Search, jump},
};

/// The most threads that are remembered; a search that needs more has used up its budget.
const MAX_REMEMBERED: usize = 1 << 19;

/// A place in the program and in the text, with the texts of the groups.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Thread {
    step: u32,
    at: u32,
    groups: [(u32, u32); GROUPS],
}

/// The offset of a group that has no text yet.
const UNSET: u32 = u32::MAX;

/// Returns true if the expression is found.
pub(super) fn finds<E>(
    program: &Program,
    text: &[u8],
    search: &mut Search<'_>,
    charge: &mut impl FnMut(u64) -> Result<(), E>,
) -> Result<bool, E> {
    // Threads differ only in groups that are referred to.
    let mut is_referred = [false; GROUPS];
    for step in &program.steps {
        if let Step::Reference(group, _) = step {
            is_referred[usize::from(*group)] = true;
        }
    }
    for start in 0..=text.len() {
        let ends = search.ends(start, charge)?;
        if !ends.is_empty() && finds_from(program, text, start, &ends, is_referred, charge)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns true if a match from this place ends at one of these.
fn finds_from<E>(
    program: &Program,
    text: &[u8],
    start: usize,
    ends: &[usize],
    is_referred: [bool; GROUPS],
    charge: &mut impl FnMut(u64) -> Result<(), E>,
) -> Result<bool, E> {
    let mut seen: HashSet<Thread, FxBuildHasher> = HashSet::default();
    let mut threads = vec![Thread { step: 0, at: start as u32, groups: [(UNSET, UNSET); GROUPS] }];
    while let Some(mut thread) = threads.pop() {
        loop {
            let (step, at) = (thread.step as usize, thread.at as usize);
            charge(1)?;
            match program.steps[step] {
                Step::Match if ends.binary_search(&at).is_ok() => return Ok(true),
                Step::Match => break,
                Step::Pass => thread.step += 1,
                Step::Byte(byte) if text.get(at) == Some(&byte) => {
                    thread.step += 1;
                    thread.at += 1;
                }
                Step::Set(set) if text.get(at).is_some_and(|&byte| program.sets[set as usize].has(byte)) => {
                    thread.step += 1;
                    thread.at += 1;
                }
                Step::Anchor(anchor) if anchor.holds(text, at) => thread.step += 1,
                Step::Byte(_) | Step::Set(_) | Step::Anchor(_) => break,
                Step::Fork(distance) => {
                    // Paths meet at forks only.
                    if !seen.insert(thread) {
                        break;
                    }
                    if seen.len() > MAX_REMEMBERED {
                        charge(u64::MAX)?;
                    }
                    threads.push(Thread { step: jump(step, distance) as u32, ..thread });
                    thread.step += 1;
                }
                Step::Jump(distance) => thread.step = jump(step, distance) as u32,
                Step::Open(group) => {
                    if is_referred[usize::from(group)] {
                        thread.groups[usize::from(group)].0 = thread.at;
                    }
                    thread.step += 1;
                }
                Step::Close(group) => {
                    if is_referred[usize::from(group)] {
                        thread.groups[usize::from(group)].1 = thread.at;
                    }
                    thread.step += 1;
                }
                Step::Reference(group, copied) => {
                    let (from, to) = thread.groups[usize::from(group)];
                    let Some(part) = text.get(from as usize..to as usize).filter(|_| to != UNSET) else {
                        break;
                    };
                    charge(part.len() as u64 / 16)?;
                    if !text[at..].starts_with(part) {
                        break;
                    }
                    thread.step += 1 + copied;
                    thread.at += part.len() as u32;
                }
            }
        }
    }
    Ok(false)
}
