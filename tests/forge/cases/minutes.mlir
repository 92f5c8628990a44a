// RUN: fails
%iron = forge.mine iron -> !forge.bar<3, "south">
%hot = forge.heat %iron for 95 : !forge.bar<3, "south">
