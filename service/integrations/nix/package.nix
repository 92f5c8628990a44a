# The programs, from the sources of this repository: pkgs.callPackage ./package.nix { }
{ lib, rustPlatform }:
rustPlatform.buildRustPackage {
  pname = "odsmith";
  version = "0.1.0";
  src = lib.cleanSource ../../..;
  cargoLock.lockFile = ../../../Cargo.lock;
  cargoBuildFlags = [ "--package" "odsmith" "--package" "odsmith-service" ];
  # The tests fetch MLIR's definitions.
  doCheck = false;
  meta = {
    description = "mlir-tblgen without LLVM";
    license = with lib.licenses; [ asl20 llvm-exception ];
    mainProgram = "odsmith";
  };
}
