import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Gives the classes of a jar a newer class file version, and the stack maps that come with it.
 *
 * <p>picocli is compiled for Java 5. A start-up cache cannot hold such classes, and without stack
 * maps they are verified the slow way, in every command: half of the time that a report of a small
 * file takes. What the classes do stays the same.
 */
final class Modernise {

    /** Java 8. From 51 on stack maps are a must, so this is new enough for the cache. */
    private static final int VERSION = 52;

    private final ClassFile classFile;

    private Modernise(ClassLoader classes) {
        classFile =
                ClassFile.of(
                        ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                        ClassFile.ClassHierarchyResolverOption.of(
                                ClassHierarchyResolver.ofResourceParsing(classes)
                                        .orElse(ClassHierarchyResolver.defaultResolver())));
    }

    /** The jar is replaced; a jar that was treated before stays as it is. */
    public static void main(String[] args) throws IOException {
        Path jar = Path.of(args[0]);
        Path treated = Path.of(args[0] + ".new");
        URL[] url = {jar.toUri().toURL()};
        boolean changed;
        try (URLClassLoader classes = new URLClassLoader(url);
                ZipFile in = new ZipFile(jar.toFile());
                ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(treated))) {
            changed = new Modernise(classes).copy(in, out);
        }
        if (changed) {
            Files.move(treated, jar, StandardCopyOption.REPLACE_EXISTING);
        } else {
            Files.delete(treated);
        }
    }

    private boolean copy(ZipFile in, ZipOutputStream out) throws IOException {
        boolean changed = false;
        for (ZipEntry entry : Collections.list(in.entries())) {
            byte[] content = in.getInputStream(entry).readAllBytes();
            if (entry.getName().endsWith(".class")) {
                ClassModel model = classFile.parse(content);
                if (model.majorVersion() < VERSION) {
                    content = modernised(model);
                    changed = true;
                }
            }
            ZipEntry copy = new ZipEntry(entry.getName());
            copy.setTime(entry.getTime());
            out.putNextEntry(copy);
            out.write(content);
            out.closeEntry();
        }
        return changed;
    }

    /** Bodies are copied instruction by instruction, since only then their stack maps are made. */
    private byte[] modernised(ClassModel model) {
        return classFile.transformClass(
                model,
                ClassTransform.transformingMethodBodies((body, element) -> body.with(element))
                        .andThen(ClassTransform.endHandler(it -> it.withVersion(VERSION, 0))));
    }
}
