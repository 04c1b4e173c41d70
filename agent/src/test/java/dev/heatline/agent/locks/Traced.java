package dev.heatline.agent.locks;

import dev.heatline.agent.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@link Scenes} on a real JVM, whose locks are traced. */
final class Traced implements AutoCloseable {
    private final Target program;

    /** Where trace and status are; a new one for every trace. */
    private Path folder = Path.of("");

    private Traced(Target program) {
        this.program = program;
    }

    static Traced start(Path jvm, String... options) throws IOException {
        return new Traced(Target.start(jvm, Scenes.class, options));
    }

    Target program() {
        return program;
    }

    /** Switches tracing on, in a folder of its own; returns the answer. */
    String on(String... more) throws IOException {
        return onIn(otherFolder(), more);
    }

    /** Likewise; has classes changed as if somebody had been blocked in them already. */
    String onWithHooks(String... more) throws IOException {
        String status = on();
        List<String> met = new ArrayList<>(List.of(more));
        met.add(internalName(Scenes.class));
        met.add(internalName(Crowds.class));
        Path names = otherFolder().resolve("names");
        Files.write(names, met);
        program.load(Target.agent(otherFolder(), MeetsAll.class), names.toString());
        return status;
    }

    private static String internalName(Class<?> type) {
        return type.getName().replace('.', '/');
    }

    String onIn(Path place, String... more) throws IOException {
        String status = program.tell("locks=on" + (more.length == 0 ? "" : "," + more[0]), place);
        if (status.equals("on")) {
            folder = place;
        }
        return status;
    }

    String off() throws IOException {
        return offAs(folder);
    }

    /** Switches off as a tool with that folder does. */
    String offAs(Path place) throws IOException {
        return program.tell("locks=off", place);
    }

    /** A folder of another tool's. */
    Path otherFolder() throws IOException {
        return program.newFolder();
    }

    Path folder() {
        return folder;
    }

    TraceFile trace() throws IOException {
        return new TraceFile(folder.resolve("trace"));
    }

    /** Bytes of address space that its trace takes. */
    long mappedBytes() throws IOException {
        return program.mappedBytes(folder.resolve("trace"));
    }

    @Override
    public void close() {
        program.close();
    }
}
