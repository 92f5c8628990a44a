//! The memory of this process, and the ceiling that it has.

use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
    time::Instant,
};

/// The part of the ceiling above which no more work begins: what runs may still grow.
const MARK_PERCENT: u64 = 70;

/// The part of the ceiling above which work is stopped.
const NEAR_PERCENT: u64 = 75;

/// How long a reading is used, in milliseconds.
const FRESH: u64 = 5;

/// The ceiling of the memory of this process.
#[derive(Debug)]
pub struct MemoryCeiling {
    /// Bytes; `None` if there is no ceiling.
    most: Option<u64>,
    start: Instant,
    /// The last reading: its time in milliseconds after the start, and its bytes.
    read_at: AtomicU64,
    bytes: AtomicU64,
}

impl MemoryCeiling {
    /// Creates a ceiling of some megabytes; by default, that of the container.
    #[must_use]
    pub fn new(megabytes: Option<u64>) -> MemoryCeiling {
        let most = megabytes.map_or_else(of_container, |megabytes| Some(megabytes << 20));
        let (read_at, bytes) = (AtomicU64::new(0), AtomicU64::new(0));
        MemoryCeiling { most: most.filter(|most| *most > 0), start: Instant::now(), read_at, bytes }
    }

    /// Returns the ceiling in bytes, if there is one.
    #[must_use]
    pub fn most(&self) -> Option<u64> {
        self.most
    }

    /// Returns the bytes of the process and the mark, if they are above it.
    #[must_use]
    pub fn excess(&self) -> Option<(u64, u64)> {
        self.above(MARK_PERCENT)
    }

    /// Returns true if the memory is nearly used up.
    #[must_use]
    pub fn is_near(&self) -> bool {
        self.above(NEAR_PERCENT).is_some()
    }

    fn above(&self, percent: u64) -> Option<(u64, u64)> {
        let mark = self.most? / 100 * percent;
        let now = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX).max(1);
        let read_at = self.read_at.load(Ordering::Relaxed);
        if read_at == 0 || now.saturating_sub(read_at) >= FRESH {
            self.read_at.store(now, Ordering::Relaxed);
            self.bytes.store(resident().unwrap_or(0), Ordering::Relaxed);
        }
        let bytes = self.bytes.load(Ordering::Relaxed);
        (bytes > mark).then_some((bytes, mark))
    }
}

/// Returns the resident bytes of this process, where the system reports them.
#[must_use]
pub fn resident() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

/// Returns the least limit of the control groups of this process, of either version.
fn of_container() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let limits = groups.lines().filter_map(|line| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, group) = rest.split_once(':')?;
        match controllers {
            "" => least("/sys/fs/cgroup", group, "memory.max"),
            of if of.split(',').any(|name| name == "memory") => {
                least("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes")
            }
            _ => None,
        }
    });
    limits.min()
}

/// Returns the least limit of a group and those around it. In a container, the group may not be there under its name.
fn least(root: &str, group: &str, file: &str) -> Option<u64> {
    let group = Path::new(root).join(group.trim_start_matches('/'));
    let folders = group.ancestors().take_while(|folder| folder.starts_with(root));
    let limit = |folder: &Path| fs::read_to_string(folder.join(file)).ok()?.trim().parse::<u64>().ok();
    // A group of the first version without a limit has one that no machine reaches.
    folders.filter_map(limit).filter(|limit| *limit < 1 << 50).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_limit_of_all_groups() {
        let root = std::env::temp_dir().join(format!("odsmith-cgroup-{}", std::process::id()));
        let group = root.join("a/b");
        fs::create_dir_all(&group).unwrap();
        let root_text = root.to_str().unwrap();
        assert_eq!(least(root_text, "/a/b", "memory.max"), None);
        fs::write(group.join("memory.max"), "max\n").unwrap();
        fs::write(root.join("a/memory.max"), "1000\n").unwrap();
        fs::write(root.join("memory.max"), "9223372036854771712\n").unwrap();
        assert_eq!(least(root_text, "/a/b", "memory.max"), Some(1000));
        // The name of the group outside of the container.
        assert_eq!(least(root_text, "/elsewhere", "memory.max"), None);
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_has_memory() {
        assert!(resident().is_some_and(|bytes| bytes > 1 << 20));
        assert!(MemoryCeiling::new(Some(1)).excess().is_some());
        assert!(MemoryCeiling::new(Some(1 << 30)).excess().is_none());
        assert!(MemoryCeiling::new(Some(0)).most().is_none());
    }
}
