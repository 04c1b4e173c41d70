package dev.heatline.bench.workload;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Random;
import javax.xml.transform.TransformerException;

/**
 * A JVM whose cost is measured from outside: it is named a workload, and told by a line on standard
 * input how many units of it to do; it answers with a line when they are done. Equal numbers of
 * units are equal work.
 */
public final class Target {

    private Target() {}

    public static void main(String[] args) throws IOException, SQLException, TransformerException {
        Unit unit = Unit.named(args[0]);
        System.out.println("ready");
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line;
        while ((line = in.readLine()) != null) {
            Random random = new Random(1);
            for (int left = Integer.parseInt(line); left > 0; left--) {
                unit.run(random);
            }
            System.out.println("done");
        }
        System.exit(0);
    }
}
