package dev.heatline.bench;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.xml.transform.Templates;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
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

/**
 * Real libraries at work, for recordings and for costs: a database (H2), a search engine (Lucene)
 * and a style-sheet processor (Xalan), each on a thread of its own.
 *
 * <p>{@code java -cp bench/target/heatline-bench.jar dev.heatline.bench.Workload SECONDS
 * [QUERIES]}; QUERIES are the searches per index, 100 unless given.
 */
public final class Workload {

    /** A piece of work of some milliseconds, done again and again. */
    private interface Unit {
        void run(Random random) throws IOException, SQLException, TransformerException;
    }

    private Workload() {}

    public static void main(String[] args) throws InterruptedException, SQLException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.parseLong(args[0]));
        int queries = args.length > 1 ? Integer.parseInt(args[1]) : 100;
        List<Thread> threads =
                List.of(
                        thread("database", new Database(), until),
                        thread("search", new Search(queries), until),
                        thread("styles", new Styles(), until));
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static Thread thread(String name, Unit unit, long until) {
        return Thread.ofPlatform()
                .name(name)
                .unstarted(
                        () -> {
                            Random random = new Random(name.hashCode());
                            while (System.nanoTime() < until) {
                                try {
                                    unit.run(random);
                                } catch (IOException | SQLException | TransformerException e) {
                                    throw new IllegalStateException(name + " failed", e);
                                }
                            }
                        });
    }

    private static final class Database implements Unit {
        private final Connection connection;

        Database() throws SQLException {
            connection = DriverManager.getConnection("jdbc:h2:mem:bench");
            execute("create table customer(id int primary key, name varchar, city varchar)");
            execute("create table orders(id identity, customer int, amount decimal(10,2))");
            execute("create index by_customer on orders(customer)");
            for (int i = 0; i < 2000; i++) {
                execute("insert into customer values(" + i + ",'n" + i + "','c" + i % 40 + "')");
            }
        }

        private void execute(String sql) throws SQLException {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.execute();
            }
        }

        @Override
        public void run(Random random) throws SQLException {
            for (int i = 0; i < 50; i++) {
                execute(
                        "insert into orders(customer, amount) values("
                                + random.nextInt(2000)
                                + ","
                                + random.nextInt(90)
                                + ".5)");
            }
            String report =
                    "select c.city, count(*), sum(o.amount) from orders o join customer c on"
                            + " o.customer = c.id where c.name like ? group by c.city order by 3"
                            + " desc";
            try (PreparedStatement statement = connection.prepareStatement(report)) {
                statement.setString(1, "n" + random.nextInt(10) + "%");
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        rows.getBigDecimal(3);
                    }
                }
            }
            if (random.nextInt(200) == 0) {
                execute("delete from orders");
            }
        }
    }

    private static final class Search implements Unit {
        private final int queries;

        Search(int queries) {
            this.queries = queries;
        }

        @Override
        public void run(Random random) throws IOException {
            try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
                try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
                    for (int i = 0; i < 200; i++) {
                        Document document = new Document();
                        document.add(new TextField("body", text(random), Field.Store.YES));
                        writer.addDocument(document);
                    }
                }
                try (DirectoryReader reader = DirectoryReader.open(directory)) {
                    IndexSearcher searcher = new IndexSearcher(reader);
                    for (int i = 0; i < queries; i++) {
                        searcher.search(
                                new TermQuery(new Term("body", "w" + random.nextInt(500))), 10);
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

    private static final class Styles implements Unit {
        private static final String SHEET =
                """
                <xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
                <xsl:template match="/"><html><xsl:apply-templates select="//item"/></html>
                </xsl:template>
                <xsl:template match="item"><p><xsl:value-of select="@name"/>
                <xsl:for-each select="part"><xsl:sort select="@price" data-type="number"/>
                <b><xsl:value-of select="concat(@name, ': ', @price * 2)"/></b></xsl:for-each>
                <xsl:if test="count(part) &gt; 3"><xsl:call-template name="total"/></xsl:if></p>
                </xsl:template>
                <xsl:template name="total"><i><xsl:value-of select="sum(part/@price)"/></i>
                </xsl:template></xsl:stylesheet>
                """;

        private final Templates templates;

        Styles() {
            try {
                templates =
                        TransformerFactory.newInstance()
                                .newTemplates(new StreamSource(new StringReader(SHEET)));
            } catch (TransformerException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void run(Random random) throws TransformerException {
            StringBuilder input = new StringBuilder("<shop>");
            for (int i = 0; i < 100; i++) {
                input.append("<item name='i").append(i).append("'>");
                for (int j = random.nextInt(8); j > 0; j--) {
                    input.append("<part name='p").append(j).append("' price='");
                    input.append(random.nextInt(100)).append("'/>");
                }
                input.append("</item>");
            }
            templates
                    .newTransformer()
                    .transform(
                            new StreamSource(new StringReader(input.append("</shop>").toString())),
                            new StreamResult(new StringWriter()));
        }
    }
}
