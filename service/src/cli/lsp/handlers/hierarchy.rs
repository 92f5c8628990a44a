//! Hierarchies: the classes of definitions, and the `include`s of files in the form of calls.

use odsmith_ide::{
    Document, FileRange, Workspace,
    hierarchy::{self, Node},
    structure,
};

use super::{Answer, Cursor, Failure, Server, lsp, to_proto};

impl Server {
    pub fn prepare_hierarchy(&mut self, cursor: &Cursor) -> Answer<[lsp::TypeHierarchyItem; 1]> {
        let node = self.query(cursor, hierarchy::at).ok_or(Failure::Nothing)?;
        Ok([self.node(cursor.project, &node).ok_or(Failure::Nothing)?])
    }

    pub fn hierarchy(
        &mut self,
        item: &lsp::TypeHierarchyItem,
        find: fn(&Workspace, &FileRange) -> Vec<Node>,
    ) -> Answer<Vec<lsp::TypeHierarchyItem>> {
        let start = self.start_of(&item.uri)?;
        let offset = self.offsets(&start, item.selection_range).start;
        let found = find(self.workspace(&start), &start.document.place(offset..offset));
        Ok(found.iter().filter_map(|node| self.node(start.project, node)).collect())
    }

    /// Returns a file as an item of the include hierarchy.
    fn file_item(&self, project: usize, path: &str) -> lsp::CallHierarchyItem {
        let name = path.rsplit('/').next().unwrap_or(path).to_owned();
        let (uri, start) = (self.uri_of(project, path), lsp::Range::default());
        let detail = Some(path.to_owned());
        lsp::CallHierarchyItem::new(name, lsp::SymbolKind::File, None, detail, uri, start, start, None)
    }

    pub fn prepare_includes(&mut self, cursor: &Cursor) -> Answer<[lsp::CallHierarchyItem; 1]> {
        Ok([self.file_item(cursor.project, &cursor.document.path)])
    }

    pub fn includes_of(
        &mut self,
        it: lsp::CallHierarchyOutgoingCallsParams,
    ) -> Answer<Vec<lsp::CallHierarchyOutgoingCall>> {
        let start = self.start_of(&it.item.uri)?;
        let links = structure::links(self.workspace(&start), &start.document.path);
        let call = |link: &structure::Link| lsp::CallHierarchyOutgoingCall {
            to: self.file_item(start.project, &link.path),
            from_ranges: vec![self.range(&start, &link.range)],
        };
        Ok(links.iter().map(call).collect())
    }

    pub fn included_by(
        &mut self,
        it: lsp::CallHierarchyIncomingCallsParams,
    ) -> Answer<Vec<lsp::CallHierarchyIncomingCall>> {
        let start = self.start_of(&it.item.uri)?;
        let workspace = self.workspace(&start);
        let ranges = |from: &Document, path: &str| -> Vec<lsp::Range> {
            let links = structure::links(workspace, path).into_iter();
            let links = links.filter(|link| link.path == start.document.path);
            links.map(|link| to_proto::range(from, &link.range, self.client.encoding)).collect()
        };
        let call = |path: &str| {
            let from_ranges = ranges(&*workspace.document(path)?, path);
            let from = self.file_item(start.project, path);
            (!from_ranges.is_empty()).then_some(lsp::CallHierarchyIncomingCall { from, from_ranges })
        };
        let files = workspace.bundle().iter().map(|(path, _)| path).filter(|path| path.ends_with(".td"));
        Ok(files.filter_map(call).collect())
    }
}
