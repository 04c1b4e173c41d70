package dev.heatline.bench.workload;

import java.io.IOException;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;

/** A search engine (Lucene): an index is written, then searched. */
final class Search implements Unit {
    private final int documents;
    private final int queries;

    Search(int documents, int queries) {
        this.documents = documents;
        this.queries = queries;
    }

    @Override
    public void run(Random random) throws IOException {
        try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
            try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
                for (int i = 0; i < documents; i++) {
                    Document document = new Document();
                    document.add(new TextField("body", text(random), Field.Store.YES));
                    writer.addDocument(document);
                }
            }
            try (DirectoryReader reader = DirectoryReader.open(directory)) {
                IndexSearcher searcher = new IndexSearcher(reader);
                for (int i = 0; i < queries; i++) {
                    searcher.search(new TermQuery(new Term("body", "w" + random.nextInt(500))), 10);
                }
            }
        }
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 60; i++) {
            text.append('w').append(random.nextInt(500)).append(' ');
        }
        return text.toString();
    }
}
