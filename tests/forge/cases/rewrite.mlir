// RUN: rewrite
%a = forge.weight 20
%b = forge.weight 22
%c = forge.add %a, %b
forge.sell for %c
%bar = forge.mine iron -> !forge.bar<3, "south">
%x = forge.ask
%d = forge.add %x, %x
%e = forge.double %d "loud" : i32
forge.sell for %e
