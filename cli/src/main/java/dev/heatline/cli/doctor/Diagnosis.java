package dev.heatline.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** Looks at everything. */
public final class Diagnosis {

    private Diagnosis() {}

    public static List<Finding> of(Machine machine) {
        List<Finding> findings = new ArrayList<>(new Jdks(machine).findings());
        if (machine.isLinux()) {
            findings.addAll(new Kernel(machine).findings());
        } else {
            findings.add(
                    Finding.limited(
                            "kernel",
                            "not Linux: JFR recordings and reports work, stack fragments do not"));
        }
        findings.addAll(new Surroundings(machine).findings());
        return findings;
    }
}
