package dev.heatline.formats;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;

/** A protobuf message, written field by field. */
interface Message {
    void writeTo(CodedOutputStream fields) throws IOException;

    /**
     * A message to be written as a field of another; it grows by pieces, and copies none to grow.
     */
    static ByteString bytes(Message message) throws IOException {
        ByteString.Output bytes = ByteString.newOutput();
        CodedOutputStream fields = CodedOutputStream.newInstance(bytes);
        message.writeTo(fields);
        fields.flush();
        return bytes.toByteString();
    }
}
