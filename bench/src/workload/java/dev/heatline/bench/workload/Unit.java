package dev.heatline.bench.workload;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Random;
import javax.xml.transform.TransformerException;

/** A piece of work of about a millisecond of CPU time, done again and again. */
interface Unit {

    void run(Random random) throws IOException, SQLException, TransformerException;

    /** A workload by its name. */
    static Unit named(String name) throws IOException, SQLException, TransformerException {
        return switch (name) {
            case "h2" -> new Database(5, 10);
            case "lucene" -> new Search(10, 10);
            case "xslt" -> new Styles(20);
            case "compiler" -> new Compiler();
            case "shop" -> new Shop();
            case "shop-crowd" -> new Crowd(new Shop(), 8, 2);
            case "xslt-crowd" -> new Crowd(new Styles(20), 4, 20);
            case "contended" -> new Crowd(new Contended(), 4, 20);
            case "storm" -> new Crowd(new Storm(), 2, 10);
            case "recursion" -> SmallCalls.ofRecursion();
            case "lookups" -> SmallCalls.ofLookups();
            case "shapes" -> SmallCalls.ofShapes();
            case "step-1" -> new Steps(1);
            case "step-10" -> new Steps(10);
            case "step-500" -> new Steps(500);
            default -> throw new IllegalArgumentException(name + " is no workload");
        };
    }
}
