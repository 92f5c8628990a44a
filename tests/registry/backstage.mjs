// Checks the entities of `odsmith catalog build --backstage` by Backstage's own model: fields, formats and kinds. Prints how
// many of each kind there are.
//
//   (cd tests/registry && npm ci --ignore-scripts) && node tests/registry/backstage.mjs CATALOGUE/catalog-info.yaml

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parseAllDocuments } from "yaml";

const model = createRequire(import.meta.url)("@backstage/catalog-model");
const policy = model.EntityPolicies.allOf([
  new model.SchemaValidEntityPolicy(),
  new model.DefaultNamespaceEntityPolicy(),
  new model.FieldFormatEntityPolicy(),
  new model.NoForeignRootFieldsEntityPolicy(),
]);
const kinds = {
  API: model.apiEntityV1alpha1Validator,
  Component: model.componentEntityV1alpha1Validator,
  System: model.systemEntityV1alpha1Validator,
};

const counts = {};
const names = new Set();
const references = [];
for (const document of parseAllDocuments(readFileSync(process.argv[2], "utf8"))) {
  const entity = document.toJS();
  await policy.enforce(entity);
  if (!(await kinds[entity.kind].check(entity))) throw new Error(`${entity.kind} ${entity.metadata.name} is no such entity`);
  const name = `${entity.kind}:default/${entity.metadata.name}`.toLowerCase();
  if (names.has(name)) throw new Error(`${name} is there twice`);
  names.add(name);
  counts[entity.kind] = (counts[entity.kind] ?? 0) + 1;
  references.push(...(entity.spec.providesApis ?? []).map((api) => `api:default/${api}`), ...(entity.spec.dependsOn ?? []));
}
for (const reference of references) {
  if (!names.has(reference)) throw new Error(`${reference} is not there`);
}
console.log(JSON.stringify(counts));
