package dev.heatline.agent.locks;

import dev.heatline.agent.Target;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;

/** Asks a JVM for the code that its classes have. */
public final class ClassCode {
    private final Path folder;
    private final Path listener;

    /** Files go into that folder. */
    public ClassCode(Path folder) throws IOException {
        this.folder = folder;
        this.listener = Target.agent(folder, Listener.class);
    }

    /** Of all classes of each name. */
    List<String> of(Traced target, List<String> names) throws IOException {
        return of(target.program(), names);
    }

    /** Likewise. */
    public List<String> of(Target program, List<String> names) throws IOException {
        List<String> code = new ArrayList<>();
        for (String name : names) {
            code.addAll(all(program, name));
        }
        return code;
    }

    /** Of all classes with a name. */
    List<String> all(Traced target, String name) throws IOException {
        return all(target.program(), name);
    }

    private List<String> all(Target program, String name) throws IOException {
        Path answer = Files.createTempFile(folder, "code", ".txt");
        program.load(listener, answer + "," + name);
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(answer));
        List<String> codes = new ArrayList<>();
        while (bytes.hasRemaining()) {
            byte[] code = new byte[bytes.getInt()];
            bytes.get(code);
            codes.add(canonical(code));
        }
        return codes;
    }

    /**
     * Without what a JVM itself changes when it changes a class: constants that are not used any
     * more stay, and stack maps go where it does not verify.
     */
    private static String canonical(byte[] bytes) {
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(bytes).accept(writer, ClassReader.SKIP_FRAMES);
        return HexFormat.of().formatHex(writer.toByteArray());
    }
}
