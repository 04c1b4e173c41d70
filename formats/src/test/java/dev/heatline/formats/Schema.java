package dev.heatline.formats;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A .proto file as protoc understands it: a second opinion on what the formats write by hand. */
final class Schema {
    private final FileDescriptor file;

    private Schema(FileDescriptor file) {
        this.file = file;
    }

    static Schema of(Path folder, String fileName) {
        try {
            Path protoc = Path.of("target/protoc/protoc.exe").toAbsolutePath();
            assertThat(protoc.toFile().setExecutable(true)).isTrue();
            Path compiled = Files.createTempFile("schema", ".pb");
            Process process =
                    new ProcessBuilder(
                                    protoc.toString(),
                                    "--proto_path=" + folder,
                                    "--descriptor_set_out=" + compiled,
                                    fileName)
                            .redirectErrorStream(true)
                            .start();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            FileDescriptorSet set = FileDescriptorSet.parseFrom(Files.readAllBytes(compiled));
            Files.delete(compiled);
            return new Schema(FileDescriptor.buildFrom(set.getFile(0), new FileDescriptor[0]));
        } catch (IOException | InterruptedException | Descriptors.DescriptorValidationException e) {
            throw new AssertionError(e);
        }
    }

    /** The message in these bytes, all of which the schema must explain. */
    DynamicMessage parse(String type, byte[] bytes) {
        Descriptor descriptor = file.findMessageTypeByName(type);
        assertThat(descriptor).as(type).isNotNull();
        try {
            DynamicMessage message = DynamicMessage.parseFrom(descriptor, bytes);
            assertNothingUnknown(message);
            return message;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** The message that protobuf's text format describes. */
    DynamicMessage fromText(String type, String text) {
        DynamicMessage.Builder builder =
                DynamicMessage.newBuilder(file.findMessageTypeByName(type));
        try {
            TextFormat.merge(text, builder);
        } catch (TextFormat.ParseException e) {
            throw new AssertionError(e);
        }
        return builder.build();
    }

    /** The value of a field by name. */
    static Object get(Message message, String field) {
        return message.getField(message.getDescriptorForType().findFieldByName(field));
    }

    /** The values of a repeated field. */
    @SuppressWarnings("unchecked")
    static <T> List<T> list(Message message, String field) {
        return (List<T>) get(message, field);
    }

    private static void assertNothingUnknown(Message message) {
        assertThat(message.getUnknownFields().asMap()).isEmpty();
        for (Object value : message.getAllFields().values()) {
            if (value instanceof Message inner) {
                assertNothingUnknown(inner);
            } else if (value instanceof List<?> values) {
                for (Object each : values) {
                    if (each instanceof Message inner) {
                        assertNothingUnknown(inner);
                    }
                }
            }
        }
    }
}
