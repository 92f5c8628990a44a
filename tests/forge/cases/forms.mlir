%steel = forge.mine steel -> !forge.bar<12, "north">
%iron = forge.mine iron deep {depth = 7 : i64} -> !forge.bar<3, "south">
%hot = forge.heat %steel for 75 {note = "glows"} : !forge.bar<12, "north">
%price = forge.weight 12
forge.sell %hot, %iron : !forge.bar<12, "north">, !forge.bar<3, "south"> for %price to "smith"
forge.sell
forge.sell for %price
forge.sell to "nobody" {twice}
forge.workshop @one attributes {open} {
  %bar = forge.mine brass -> !forge.bar<1, "">
  forge.grind %bar "polished" size {height = 2 : i64, width = 3 : i64} : !forge.bar<1, "">
  forge.grind %bar "Rough" : !forge.bar<1, "">
}
