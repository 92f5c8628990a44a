# Odsmith in Nix, without nixpkgs.
#
#   odsmith = import ./. { program = "${pkgs.odsmith}/bin/odsmith"; library = "${pkgs.llvmPackages_22.mlir.dev}/include"; };
#   odsmith.generate { src = ./.; }                                # what `odsmith generate` makes of a folder
#   odsmith.fetch { server = "https://…"; key = "…"; sha256 = "…"; }    # a server's result, by the hash of its tree
{ program, library, system ? builtins.currentSystem }:
{
  # A folder's C++, reference and model.
  generate = { src, name ? "odsmith-outputs", mlir ? "22", arguments ? [ ] }:
    derivation {
      inherit name system;
      builder = program;
      args = [ "generate" "${src}" "--out" (placeholder "out") "--library" "${mlir}=${library}" ] ++ arguments;
      # The machine's own MLIR is not used.
      ODSMITH_NO_INSTALLED = "1";
    };

  # The hash is that of the unpacked tree: `nix-prefetch-url --unpack` prints it.
  fetch = { server, key, sha256 }:
    builtins.fetchTarball { url = "${server}/v1/results/${key}.tar.gz?prefix=1"; inherit sha256; };
}
