# inputs.odsmith.url = "…?dir=service/integrations/nix";
#
#   nixpkgs.overlays = [ odsmith.overlays.default ];      # pkgs.odsmith
#   (odsmith.lib { program = …; library = …; system = …; }).generate { src = ./.; }
{
  description = "C++ and a reference of MLIR dialects, without LLVM";

  outputs = { self }: {
    lib = import ./default.nix;
    overlays.default = final: prev: { odsmith = final.callPackage ./package.nix { }; };
  };
}
