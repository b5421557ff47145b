package dev.ebb.db.connection;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import javax.net.SocketFactory;

/**
 * Makes sockets that tell at once whether anything has arrived.
 *
 * <p>Before pgjdbc hands out a notification it asks whether there is another, by a read with a
 * timeout of a millisecond: each notification is heard a millisecond late. Here a read with that
 * timeout fails at once if nothing has arrived.
 *
 * <p>The driver makes one by its name; a {@code socketFactory} in the URL takes precedence.
 */
public final class PromptSockets extends SocketFactory {

  @Override
  public Socket createSocket() {
    return new PromptSocket();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return SocketFactory.getDefault().createSocket(host, port);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress from, int fromPort)
      throws IOException {
    return SocketFactory.getDefault().createSocket(host, port, from, fromPort);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return SocketFactory.getDefault().createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort)
      throws IOException {
    return SocketFactory.getDefault().createSocket(host, port, from, fromPort);
  }

  private static final class PromptSocket extends Socket {
    /** By which the driver asks; it sets no other that is as short. */
    private static final int ASKING_MILLIS = 1;

    private volatile boolean isAsking;

    @Override
    public void setSoTimeout(int millis) throws SocketException {
      isAsking = millis == ASKING_MILLIS;
      super.setSoTimeout(millis);
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read() throws IOException {
          return arrived().read();
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
          return arrived().read(bytes, from, length);
        }

        private InputStream arrived() throws IOException {
          if (isAsking && in.available() == 0) {
            throw new SocketTimeoutException("nothing has arrived");
          }
          return in;
        }
      };
    }
  }
}
