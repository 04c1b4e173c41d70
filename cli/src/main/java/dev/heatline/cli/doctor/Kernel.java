package dev.heatline.cli.doctor;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** What the Linux kernel lets this user see of other processes. */
final class Kernel {
    private static final String SYSCTL = "proc/sys/kernel/";

    private final Machine machine;

    Kernel(Machine machine) {
        this.machine = machine;
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        findings.add(perfEvents());
        findings.add(kernelSymbols());
        findings.add(hardwareCounters());
        findings.add(memoryOfOthers());
        return findings;
    }

    private Finding perfEvents() {
        String subject = "perf events";
        int paranoid = machine.number(SYSCTL + "perf_event_paranoid").orElse(-2);
        if (paranoid == -2) {
            return Finding.no(
                    subject,
                    "this kernel has none; samples come from JFR alone",
                    "run on Linux, in a container that shows /proc/sys/kernel");
        }
        String setting = "perf_event_paranoid is " + paranoid;
        if (machine.superuser() || paranoid < 2) {
            return Finding.ok(subject, setting + ": program and kernel can be sampled");
        }
        String remedy = machine.asSuperuser("sysctl kernel.perf_event_paranoid=1");
        return paranoid == 2
                ? Finding.limited(
                        subject, setting + ": own programs only, without kernel frames", remedy)
                : Finding.no(subject, setting + ": sampling is for root only", remedy);
    }

    private Finding kernelSymbols() {
        String subject = "kernel names";
        int restrict = machine.number(SYSCTL + "kptr_restrict").orElse(-1);
        if (restrict < 0) {
            return Finding.limited(subject, "this system does not say; kernel frames stay numbers");
        }
        String setting = "kptr_restrict is " + restrict;
        if (restrict == 0 || (restrict == 1 && machine.superuser())) {
            return Finding.ok(subject, setting + ": kernel functions have names");
        }
        return Finding.limited(
                subject,
                setting + ": kernel functions stay numbers; Java frames are not concerned",
                machine.asSuperuser("sysctl kernel.kptr_restrict=0"));
    }

    private Finding hardwareCounters() {
        String subject = "hardware counters";
        return Files.exists(machine.root().resolve("sys/bus/event_source/devices/cpu"))
                ? Finding.ok(subject, "cycles and cache misses can be counted")
                : Finding.limited(
                        subject,
                        "none here, as in most virtual machines; the kernel's clock samples"
                                + " instead");
    }

    private Finding memoryOfOthers() {
        String subject = "other processes";
        int scope = machine.number(SYSCTL + "yama/ptrace_scope").orElse(0);
        if (scope == 0 || (machine.superuser() && scope < 3)) {
            return Finding.ok(subject, "the stacks of this user's processes can be read");
        }
        return Finding.limited(
                subject,
                "ptrace_scope is " + scope + ": stack fragments need root; JFR is not concerned",
                machine.asSuperuser("sysctl kernel.yama.ptrace_scope=0"));
    }
}
