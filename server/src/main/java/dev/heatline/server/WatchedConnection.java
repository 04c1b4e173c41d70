package dev.heatline.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;

/** A connection that tells when the server waits for its client. */
final class WatchedConnection implements ConnectionContext {
    private final ConnectionContext connection;
    private final Patience patience;
    private final DataReader reader = DataReader.create(this::read);
    private final DataWriter writer = new Writer();

    WatchedConnection(ConnectionContext connection, Patience patience) {
        this.connection = connection;
        this.patience = patience;
    }

    private byte[] read() {
        DataReader from = connection.dataReader();
        int length = 0;
        patience.begin(Patience.For.REQUEST, System.nanoTime());
        try {
            from.ensureAvailable();
            length = from.available();
        } finally {
            patience.end(length, System.nanoTime());
        }
        return from.readBytes(length);
    }

    /** Writes in pieces, so that it is seen whether a large answer goes on. */
    private final class Writer implements DataWriter {
        private static final int PIECE_BYTES = 1 << 16;

        private void write(BufferData data, Consumer<BufferData> to) {
            while (data.available() > PIECE_BYTES) {
                byte[] piece = new byte[PIECE_BYTES];
                int length = data.read(piece, 0, PIECE_BYTES);
                writePiece(BufferData.create(piece, 0, length), to);
            }
            writePiece(data, to);
        }

        private void writePiece(BufferData piece, Consumer<BufferData> to) {
            int length = piece.available();
            int written = 0;
            patience.begin(Patience.For.ANSWER, System.nanoTime());
            try {
                to.accept(piece);
                written = length;
            } finally {
                patience.end(written, System.nanoTime());
            }
        }

        @Override
        public void write(BufferData... parts) {
            write(BufferData.create(parts));
        }

        @Override
        public void write(BufferData data) {
            write(data, connection.dataWriter()::write);
        }

        @Override
        public void writeNow(BufferData... parts) {
            writeNow(BufferData.create(parts));
        }

        @Override
        public void writeNow(BufferData data) {
            write(data, connection.dataWriter()::writeNow);
        }

        @Override
        public void flush() {
            connection.dataWriter().flush();
        }

        @Override
        public void close() {
            connection.dataWriter().close();
        }
    }

    @Override
    public DataReader dataReader() {
        return reader;
    }

    @Override
    public DataWriter dataWriter() {
        return writer;
    }

    @Override
    public ListenerContext listenerContext() {
        return connection.listenerContext();
    }

    @Override
    public ExecutorService executor() {
        return connection.executor();
    }

    @Override
    public Router router() {
        return connection.router();
    }

    @Override
    public Optional<ProxyProtocolData> proxyProtocolData() {
        return connection.proxyProtocolData();
    }

    @Override
    public HelidonSocket serverSocket() {
        return connection.serverSocket();
    }

    @Override
    public PeerInfo remotePeer() {
        return connection.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
        return connection.localPeer();
    }

    @Override
    public boolean isSecure() {
        return connection.isSecure();
    }

    @Override
    public String socketId() {
        return connection.socketId();
    }

    @Override
    public String childSocketId() {
        return connection.childSocketId();
    }
}
