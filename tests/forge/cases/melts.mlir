// RUN: fails
%iron = forge.mine iron -> !forge.bar<3, "south">
%hot = forge.heat %iron for 75 : !forge.bar<3, "south">
