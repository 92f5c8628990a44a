#!/usr/bin/env python3
"""Lists every package in a release build, as a CycloneDX 1.6 document: the dependencies that `cargo metadata` resolves for
the binary on this machine, without those for tests and build scripts only.

  sbom.py --binary target/release/odsmith-service --out target/release/odsmith.cdx.json
"""
import argparse
import base64
import hashlib
import json
import pathlib
import subprocess
import sys
import uuid


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def component(package, checksums, kind="library"):
    found = {
        "type": kind,
        "bom-ref": package["id"],
        "name": package["name"],
        "version": package["version"],
        "purl": f"pkg:cargo/{package['name']}@{package['version']}",
    }
    if package["license"]:
        # Older packages write `MIT/Apache-2.0`.
        found["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if package["description"]:
        found["description"] = " ".join(package["description"].split())
    if package["repository"]:
        found["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    checksum = checksums.get((package["name"], package["version"]))
    if checksum:
        found["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    return found


def playground(folder):
    """The npm packages whose code is in the playground's script, if it is built in."""
    listed = folder / "parts.json"
    if not (folder / "play.js.gz").is_file() or not listed.is_file():
        return []
    found = []
    for part in json.loads(listed.read_text()):
        purl = f"pkg:npm/{part['name'].replace('@', '%40')}@{part['version']}"
        digest = base64.b64decode(part["integrity"].removeprefix("sha512-")).hex()
        found.append({
            "type": "library", "bom-ref": purl, "name": part["name"], "version": part["version"], "purl": purl,
            "licenses": [{"expression": part["license"]}], "hashes": [{"alg": "SHA-512", "content": digest}],
        })
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cargo", default="cargo")
    parser.add_argument("--binary", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parents[2]
    host = next(line.split()[1] for line in run("rustc", "-vV").splitlines() if line.startswith("host:"))
    metadata = json.loads(run(options.cargo, "metadata", "--format-version", "1", "--locked", "--filter-platform", host, "--manifest-path", str(root / "Cargo.toml")))
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    checksums, entry = {}, {}
    for line in (root / "Cargo.lock").read_text().splitlines():
        name, _, value = line.partition(" = ")
        entry[name] = value.strip('"')
        if name == "checksum":
            checksums[entry["name"], entry["version"]] = entry["checksum"]

    # The packages in the binary, without those for tests and for the build.
    program = next(package["id"] for package in packages.values() if package["name"] == "odsmith-service")
    waiting, used, links = [program], set(), []
    while waiting:
        package = waiting.pop()
        if package in used:
            continue
        used.add(package)
        needed = [dep["pkg"] for dep in nodes[package]["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
        # The compiler runs procedural macros, and so all their dependencies.
        needed = [each for each in needed if not any("proc-macro" in target["kind"] for target in packages[each]["targets"])]
        links.append({"ref": package, "dependsOn": sorted(needed)})
        waiting += needed

    main_component = component(packages[program], checksums, "application")
    if options.binary:
        digest = hashlib.sha256(options.binary.read_bytes()).hexdigest()
        main_component["hashes"] = [{"alg": "SHA-256", "content": digest}]
    components = [component(packages[package], checksums) for package in used if package != program]
    scripts = playground(root / "service/play/dist")
    components += scripts
    links += [{"ref": each["bom-ref"], "dependsOn": []} for each in scripts]
    next(link for link in links if link["ref"] == program)["dependsOn"] += [each["bom-ref"] for each in scripts]
    components.sort(key=lambda each: (each["name"], each["version"]))

    def written(value, **form):
        """JSON without the path of this folder."""
        return json.dumps(value, **form).replace(f"path+{root.as_uri()}", "path+file://.")

    content = written([main_component, components, sorted(links, key=lambda link: link["ref"])], sort_keys=True)
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        # The same content has the same name; it contains neither the day nor the machine.
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, hashlib.sha256(content.encode()).hexdigest())}",
        "version": 1,
        "metadata": {"component": main_component},
        "components": components,
        "dependencies": sorted(links, key=lambda link: link["ref"]),
    }
    options.out.write_text(written(document, indent=1) + "\n")
    unlicensed = [each["name"] for each in components if "licenses" not in each]
    print(f"{options.out}: {len(components)} packages, {len({each['licenses'][0]['expression'] for each in components if 'licenses' in each})} licence expressions")
    if unlicensed:
        sys.exit(f"without a licence: {', '.join(unlicensed)}")


if __name__ == "__main__":
    main()
