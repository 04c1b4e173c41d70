package dev.heatline.server;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Where the server listens.
 *
 * @param host a name or an address, without brackets
 * @param port 0 for any that is free
 */
public record ListenAddress(String host, int port) {
    private static final int MAX_PORT = 65_535;

    /**
     * Reads {@code HOST:PORT}; IPv6 addresses stand in brackets.
     *
     * @throws ServerException if it is not written so
     */
    public static ListenAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        String port = text.substring(colon + 1);
        if (host.isEmpty() || !port.matches("\\d{1,5}") || Integer.parseInt(port) > MAX_PORT) {
            throw new ServerException(
                    text + " is no address to listen on; write HOST:PORT, such as 127.0.0.1:4040");
        }
        return new ListenAddress(host, Integer.parseInt(port));
    }

    /**
     * Whether only this machine can reach it.
     *
     * @throws ServerException if the host is unknown
     */
    public boolean isLoopback() {
        return resolved().isLoopbackAddress();
    }

    InetAddress resolved() {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new ServerException("there is no host " + host + " to listen on");
        }
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
