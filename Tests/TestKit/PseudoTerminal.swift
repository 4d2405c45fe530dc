import Modem

/// As the simulator of the program has it.
package typealias PseudoTerminal = Modem.PseudoTerminal
