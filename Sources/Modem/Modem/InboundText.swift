/// What somebody wrote to the modem: an operator about credit and expiry, or anybody else. Nothing acts on it.
package struct InboundText: Hashable, Sendable {
    /// nil when it could not be read.
    package var sender: PhoneNumber?

    /// nil when it could not be read, is no text, or came in text mode, where strangers' texts are never read.
    package var text: String?

    package init(sender: PhoneNumber? = nil, text: String? = nil) {
        self.sender = sender
        self.text = text
    }
}
