//! `gen-attr-constraint-decls`, `gen-attr-constraint-defs`, `gen-type-constraint-decls`, `gen-type-constraint-defs`: a
//! function for every constraint of the root file that names one.

use super::{Cx, Generator};
use crate::cpp::{Template, Writer, substitute};
use odsmith_ods::Constraint;

pub(super) const ATTR_DECLS: Generator = Generator {
    name: "gen-attr-constraint-decls",
    about: "Generate attribute constraint declarations",
    run: |cx, w| {
        emit(DECLARATION, &ATTRIBUTES, cx, w);
        Ok(())
    },
};

pub(super) const ATTR_DEFS: Generator = Generator {
    name: "gen-attr-constraint-defs",
    about: "Generate attribute constraint definitions",
    run: |cx, w| {
        emit(DEFINITION, &ATTRIBUTES, cx, w);
        Ok(())
    },
};

pub(super) const TYPE_DECLS: Generator = Generator {
    name: "gen-type-constraint-decls",
    about: "Generate type constraint declarations",
    run: |cx, w| {
        emit(DECLARATION, &TYPES, cx, w);
        Ok(())
    },
};

pub(super) const TYPE_DEFS: Generator = Generator {
    name: "gen-type-constraint-defs",
    about: "Generate type constraint definitions",
    run: |cx, w| {
        emit(DEFINITION, &TYPES, cx, w);
        Ok(())
    },
};

struct Entity {
    class: &'static str,
    cpp_type: &'static str,
    variable: &'static str,
}

const ATTRIBUTES: Entity =
    Entity { class: "AttrConstraint", cpp_type: "::mlir::Attribute", variable: "attr" };
const TYPES: Entity = Entity { class: "TypeConstraint", cpp_type: "::mlir::Type", variable: "type" };

fn emit(template: Template, entity: &Entity, cx: &Cx<'_>, w: &mut Writer) {
    let constraints = cx.records.derived(entity.class).map(Constraint::new);
    for constraint in constraints.filter(|constraint| cx.is_in_root(constraint.definition())) {
        if let Some(name) = constraint.cpp_function_name() {
            w.fill_variant(
                template,
                &[
                    ("name", &name),
                    ("type", &entity.cpp_type),
                    ("variable", &entity.variable),
                    ("condition", &substitute(&constraint.condition(), &[("_self", entity.variable)])),
                ],
            );
        }
    }
}

const DECLARATION: Template = Template(
    r#"
bool @name(@type @variable);
"#,
);

const DEFINITION: Template = Template(
    r#"

bool @name(@type @variable) {
return (@condition);
}
"#,
);
