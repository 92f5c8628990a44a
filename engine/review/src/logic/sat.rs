//! Satisfiability of small formulas: clauses, unit propagation and backtracking.

/// A formula over variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Formula {
    /// A variable.
    Is(usize),
    /// The negation.
    Not(Box<Formula>),
    /// All of them.
    And(Vec<Formula>),
    /// One of them.
    Or(Vec<Formula>),
}

/// A variable and its required value.
pub(super) type Literal = (usize, bool);

/// Clauses that must all hold.
#[derive(Debug)]
pub(super) struct Clauses {
    variables: usize,
    clauses: Vec<Vec<Literal>>,
}

impl Clauses {
    pub(super) fn new(variables: usize) -> Self {
        Clauses { variables, clauses: Vec::new() }
    }

    /// Requires one of these literals.
    pub(super) fn add(&mut self, clause: Vec<Literal>) {
        self.clauses.push(clause);
    }

    /// Requires exactly one of these variables.
    pub(super) fn add_exactly_one(&mut self, variables: &[usize]) {
        self.add(variables.iter().map(|&variable| (variable, true)).collect());
        for (index, &one) in variables.iter().enumerate() {
            for &other in variables.iter().skip(index + 1) {
                self.add(vec![(one, false), (other, false)]);
            }
        }
    }

    /// Requires that a variable is true if and only if one of the others is.
    pub(super) fn add_equivalence(&mut self, variable: usize, others: &[usize]) {
        for &other in others {
            self.add(vec![(variable, true), (other, false)]);
        }
        let any = others.iter().map(|&other| (other, true));
        self.add(any.chain([(variable, false)]).collect());
    }

    /// Requires the formula.
    pub(super) fn require(&mut self, formula: &Formula) {
        let literal = self.define(formula);
        self.add(vec![literal]);
    }

    /// Returns a literal that is equivalent to the formula.
    fn define(&mut self, formula: &Formula) -> Literal {
        match formula {
            Formula::Is(variable) => (*variable, true),
            Formula::Not(child) => {
                let (variable, value) = self.define(child);
                (variable, !value)
            }
            Formula::And(children) => self.define_all(children, true),
            Formula::Or(children) => self.define_all(children, false),
        }
    }

    /// Returns a literal for all of them, or for one of them.
    fn define_all(&mut self, children: &[Formula], is_all: bool) -> Literal {
        let children: Vec<Literal> = children.iter().map(|child| self.define(child)).collect();
        let own = self.variables;
        self.variables += 1;
        for &(variable, value) in &children {
            self.add(vec![(own, !is_all), (variable, value == is_all)]);
        }
        let rest = children.iter().map(|&(variable, value)| (variable, value != is_all));
        self.add(rest.chain([(own, is_all)]).collect());
        (own, true)
    }

    /// Returns values that satisfy all clauses, or `Some(None)` if there are none; `None` if the work limit is reached.
    pub(super) fn solve(&self, work: &mut u64) -> Option<Option<Vec<bool>>> {
        let mut values: Vec<Option<bool>> = vec![None; self.variables];
        // The variables set so far, and the choices whose other value is still untried.
        let mut trail: Vec<usize> = Vec::new();
        let mut choices: Vec<(usize, usize)> = Vec::new();
        loop {
            match self.propagate(&mut values, &mut trail, work)? {
                false => {
                    let Some((length, variable)) = choices.pop() else { return Some(None) };
                    for set in trail.drain(length..) {
                        if let Some(value) = values.get_mut(set) {
                            *value = None;
                        }
                    }
                    // False is tried first: few true conditions make a short witness.
                    if let Some(value) = values.get_mut(variable) {
                        *value = Some(true);
                        trail.push(variable);
                    }
                }
                true => match values.iter().position(Option::is_none) {
                    None => return Some(Some(values.into_iter().map(|value| value == Some(true)).collect())),
                    Some(variable) => {
                        choices.push((trail.len(), variable));
                        if let Some(value) = values.get_mut(variable) {
                            *value = Some(false);
                            trail.push(variable);
                        }
                    }
                },
            }
        }
    }

    /// Sets all implied values; returns false on a contradiction.
    fn propagate(&self, values: &mut [Option<bool>], trail: &mut Vec<usize>, work: &mut u64) -> Option<bool> {
        loop {
            let mut is_changed = false;
            for clause in &self.clauses {
                *work = work.checked_sub(1)?;
                let mut open = None;
                let mut count = 0;
                let holds =
                    clause.iter().any(|&(variable, wanted)| match values.get(variable).copied().flatten() {
                        Some(value) => value == wanted,
                        None => {
                            count += 1;
                            open = Some((variable, wanted));
                            false
                        }
                    });
                match (holds, count, open) {
                    (true, ..) => {}
                    (false, 0, _) => return Some(false),
                    (false, 1, Some((variable, wanted))) => {
                        if let Some(value) = values.get_mut(variable) {
                            *value = Some(wanted);
                            trail.push(variable);
                            is_changed = true;
                        }
                    }
                    _ => {}
                }
            }
            if !is_changed {
                return Some(true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pseudorandom number generator.
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % limit
        }

        fn formula(&mut self, variables: usize, depth: usize) -> Formula {
            if depth == 0 {
                return Formula::Is(self.below(variables));
            }
            match self.below(4) {
                0 => Formula::Not(Box::new(self.formula(variables, depth - 1))),
                kind => {
                    let count = self.below(4);
                    let children = (0..count).map(|_| self.formula(variables, depth - 1)).collect();
                    if kind == 1 { Formula::And(children) } else { Formula::Or(children) }
                }
            }
        }
    }

    fn holds(formula: &Formula, values: &[bool]) -> bool {
        match formula {
            Formula::Is(variable) => values[*variable],
            Formula::Not(child) => !holds(child, values),
            Formula::And(children) => children.iter().all(|child| holds(child, values)),
            Formula::Or(children) => children.iter().any(|child| holds(child, values)),
        }
    }

    #[test]
    fn agrees_with_trying_all() {
        const VARIABLES: usize = 5;
        let mut random = Random(7);
        let mut counts = [0, 0];
        for _ in 0..3000 {
            let depth = 1 + random.below(4);
            let formulas = [random.formula(VARIABLES, depth), random.formula(VARIABLES, depth)];
            let mut clauses = Clauses::new(VARIABLES);
            formulas.iter().for_each(|formula| clauses.require(formula));
            let mut work = 1_000_000;
            let solved = clauses.solve(&mut work).expect("enough work");
            let all = (0..1u32 << VARIABLES).map(|bits| -> Vec<bool> {
                (0..VARIABLES).map(|variable| bits >> variable & 1 == 1).collect()
            });
            let possible = all.clone().any(|values| formulas.iter().all(|formula| holds(formula, &values)));
            assert_eq!(solved.is_some(), possible, "{formulas:?}");
            if let Some(values) = solved {
                assert!(formulas.iter().all(|formula| holds(formula, &values)), "{formulas:?}");
            }
            counts[usize::from(possible)] += 1;
        }
        assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
    }

    #[test]
    fn stops_when_it_is_too_much() {
        let mut clauses = Clauses::new(2);
        clauses.add(vec![(0, true), (1, true)]);
        assert_eq!(clauses.solve(&mut 0), None);
    }
}
