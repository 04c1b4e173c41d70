package dev.heatline.collector;

import dev.heatline.formats.jfr.EndedRecording;
import dev.heatline.wire.RecordingSettings;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * What a JVM that was killed left of its recording. One that ends by itself deletes its repository,
 * or was told to keep it; nobody does that for one that was killed, and a JVM that is started again
 * and again would fill the disk.
 *
 * <p>The names are the JVM's choice, and a collector may be root. So no link is followed, the
 * folder is looked up once, and only chunks that belong to its owner are deleted in it: nothing
 * that this user could not have deleted.
 */
final class Remains {
    private static final String TIME = "\\d{4}(_\\d\\d){5}";
    private static final Pattern REPOSITORY = Pattern.compile(TIME + "_\\d+(_\\d+)?");
    private static final Pattern CHUNK = Pattern.compile(TIME + "(_\\d+)?\\.jfr");

    private Remains() {}

    /** Deletes them, or says why that is not possible. */
    static void deleteOrSay(Path repository, Consumer<String> say) {
        try {
            delete(repository);
        } catch (IOException e) {
            say.accept(repository + " was left behind and cannot be deleted: " + e);
        }
    }

    /**
     * Deletes the chunks of a JVM that was killed, and its folder, if nobody else recorded there.
     *
     * @throws IOException if something stands in the way
     */
    static void delete(Path repository) throws IOException {
        Path name = repository.getFileName();
        if (Files.isDirectory(repository, LinkOption.NOFOLLOW_LINKS)
                && REPOSITORY.matcher(name.toString()).matches()
                && isHeatlines(EndedRecording.of(repository))) {
            try (DirectoryStream<Path> parent = Files.newDirectoryStream(repository.getParent())) {
                if (parent instanceof SecureDirectoryStream<Path> open) {
                    delete(open, name);
                }
            }
        }
    }

    private static boolean isHeatlines(EndedRecording recording) {
        return !recording.finished()
                && Set.of(RecordingSettings.RECORDING).containsAll(recording.recordings());
    }

    private static void delete(SecureDirectoryStream<Path> parent, Path name) throws IOException {
        try (SecureDirectoryStream<Path> repository =
                parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            UserPrincipal owner =
                    repository.getFileAttributeView(PosixFileAttributeView.class).getOwner();
            for (Path file : repository) {
                Path chunk = file.getFileName();
                if (CHUNK.matcher(chunk.toString()).matches()
                        && isFileOf(owner, repository, chunk)) {
                    repository.deleteFile(chunk);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        try {
            parent.deleteDirectory(name);
        } catch (DirectoryNotEmptyException e) {
            // Somebody keeps something there.
            return;
        }
    }

    private static boolean isFileOf(
            UserPrincipal owner, SecureDirectoryStream<Path> folder, Path name) throws IOException {
        PosixFileAttributes attributes =
                folder.getFileAttributeView(
                                name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                        .readAttributes();
        return attributes.isRegularFile() && attributes.owner().equals(owner);
    }
}
