package dev.heatline.formats;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** A protobuf message, written field by field. */
interface Message {
    void writeTo(CodedOutputStream fields) throws IOException;

    /** The bytes of a message, to be written as a field of another. */
    static byte[] bytes(Message message) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream fields = CodedOutputStream.newInstance(bytes);
        message.writeTo(fields);
        fields.flush();
        return bytes.toByteArray();
    }
}
