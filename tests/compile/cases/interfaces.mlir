// The answers of the interfaces.
// RUN: -mill-cost -verify-diagnostics

// expected-remark @+1 {{wheat keeps}}
%wheat = mill.harvest : !mill.grain<wheat>
// expected-remark @+1 {{rye keeps, like rye}}
%rye = mill.harvest : !mill.grain<rye>
// expected-remark @+2 {{miller: 6 minutes, 18 for three}}
// expected-remark @+1 {{wheat spoils}}
%0 = mill.grind %wheat : !mill.grain<wheat>
// expected-remark @+2 {{miller: 12 minutes, 36 for three}}
// expected-remark @+1 {{rye spoils, like rye}}
%1 = mill.grind %rye passes = 4 fine : !mill.grain<rye>
// expected-remark @+2 {{rye keeps, like rye}}
// expected-remark @+1 {{oat spoils}}
%2, %3 = mill.ship : () -> (!mill.sack<!mill.grain<rye>>, !mill.sack<!mill.flour<oat>>)
%m = mill.mass 5
// expected-remark @+1 {{miller: 2 minutes, 6 for three, short}}
%4 = mill.scale %m by 3
// expected-remark @+1 {{miller: 0 minutes, 0 for three, short}}
%5 = mill.scale %m by 0
// expected-remark @+1 {{miller: 120 minutes, 360 for three}}
%6 = mill.press %m turns 2 : i32
// expected-remark @+2 {{"batch" weighs 3000}}
// expected-remark @+1 {{"weight" weighs 42, little}}
mill.note rye, <"" : count = 3> [] weighs #mill.weight<42> : i16 at once
// expected-remark @+1 {{"discarded" weighs 40}}
mill.hand 1 fingers {discarded = #mill.batch<"" : count = 2, each = 20>}
